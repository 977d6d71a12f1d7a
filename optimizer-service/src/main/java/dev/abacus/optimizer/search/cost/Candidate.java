package dev.abacus.optimizer.search.cost;

import java.util.Comparator;

/**
 * An implementation that a search may choose, identified by its id.
 *
 * @param id unique within its operator; the order of ids breaks ties
 */
public record Candidate(String id, OperatorEstimate estimate) {

  /** The order of ids. */
  public static final Comparator<Candidate> BY_ID = Comparator.comparing(Candidate::id);
}

package dev.abacus.optimizer.search.cost;

import java.util.Comparator;

/**
 * One implementation that a search may choose, known by its name alone.
 *
 * @param id unique within its operator; ties are broken by its order
 */
public record Candidate(String id, OperatorEstimate estimate) {

  /** The order of ids. */
  public static final Comparator<Candidate> BY_ID = Comparator.comparing(Candidate::id);
}

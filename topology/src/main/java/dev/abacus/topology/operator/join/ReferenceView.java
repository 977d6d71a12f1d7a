package dev.abacus.topology.operator.join;

import dev.abacus.topology.model.Embedding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reference as operators see it: its items now. Safe for use by many threads at once. */
public interface ReferenceView {

  /** What the program calls it. */
  String name();

  /** The field that identifies an item. */
  String keyField();

  /** How many items there are. */
  int size();

  /**
   * Why it cannot be searched with vectors of that kind: it was not embedded by that model, or to
   * vectors of other dimensions. Null if it can.
   *
   * @param dimensions of the query
   */
  @Nullable String obstacle(String embedder, int dimensions);

  /**
   * The k items most similar to a query, best first.
   *
   * @throws IllegalArgumentException if there is an {@link #obstacle}
   */
  List<Candidate> nearest(String embedder, Embedding query, int k);

  /** The items that a join is to look at, in the order of their keys. */
  List<Candidate> candidates();

  /**
   * The same with their similarity to a query; those that are less similar than {@code least} may
   * be left out.
   *
   * @throws IllegalArgumentException if there is an {@link #obstacle}
   */
  List<Candidate> candidates(String embedder, Embedding query, double least);
}

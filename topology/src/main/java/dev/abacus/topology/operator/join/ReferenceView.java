package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.aggregate.GroupKey;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.operator.OperatorFailedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the current items of a reference. Safe for use by several threads. */
public interface ReferenceView {

  /** The field that identifies an item. */
  String keyField();

  /** The number of items. */
  int size();

  /** Whether items have vectors of this embedder. */
  boolean hasVectors(String embedder);

  /**
   * Why a search with vectors of this embedder is impossible: the reference was embedded by another
   * model, or with another number of dimensions.
   *
   * @param dimensions the number of dimensions of the query
   * @return null if a search is possible
   */
  @Nullable String obstacle(String embedder, int dimensions);

  /**
   * The k items most similar to a query, best first.
   *
   * @throws IllegalArgumentException if there is an {@link #obstacle}
   */
  List<Candidate> nearest(String embedder, Embedding query, int k);

  /** The item with this key, whether or not a sample contains it; null if there is none. */
  @Nullable ReferenceItem item(String key);

  /** The items that a join compares, in the order of their keys. */
  List<Candidate> candidates();

  /**
   * The items that have these values, in the order of their keys, found by an index.
   *
   * @param values as {@link GroupKey#of} gives them, without null
   */
  List<Candidate> equal(List<String> fields, ArrayNode values);

  /**
   * This reference with the items only that a document may match by the condition of a join in
   * code.
   *
   * @throws OperatorFailedException if the condition has no value for an item
   */
  default ReferenceView matchable(ReferenceJoin join, Document document)
      throws OperatorFailedException {
    return join.pairs().isNone() ? this : MatchableItems.of(this, join, document);
  }

  /**
   * The same items with their similarity to a query. Items less similar than {@code least} may be
   * missing.
   *
   * @throws IllegalArgumentException if there is an {@link #obstacle}
   */
  List<Candidate> candidates(String embedder, Embedding query, double least);

  /**
   * The items whose similarities and labels are evidence for the thresholds of a join, in the order
   * of their keys. No model is called for them.
   *
   * @throws IllegalArgumentException if there is an {@link #obstacle}
   */
  default List<Candidate> evidence(String embedder, Embedding query) {
    return candidates(embedder, query, -2);
  }

  /**
   * In a sample, the items whose decisions stand for those about all items, if some were matched by
   * a search of the whole reference: these, each of which represents itself, and the {@link
   * #candidates items of the sample}, which represent the rest.
   */
  default List<Candidate> representedBy(List<Candidate> matched) {
    return matched;
  }

  /** Whether joins see some items of the reference, in a sample. */
  default boolean isSample() {
    return false;
  }
}

package dev.abacus.schemas.program;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a program asks for, without how (paper, Table 1). How is a {@link
 * dev.abacus.schemas.plan.PhysicalOperator}.
 */
public sealed interface LogicalOperator
    permits SemanticMap,
        SemanticFilter,
        Project,
        TopK,
        ReferenceJoin,
        StreamJoin,
        Merge,
        Aggregate,
        Limit {

  /** Unique within the program: lower-case letters, digits and hyphens. */
  String id();

  /** Name of the source or operator whose documents this operator takes. */
  String input();

  /** All that it takes documents from: {@link #input}, and a second stream where there is one. */
  default List<String> inputs() {
    return List.of(input());
  }

  /** Fields that it reads; empty means every field of its input. */
  List<String> reads();

  /** Names of the fields that it adds or replaces. */
  List<String> writtenFields();

  /** Whether a model carries it out, so that there is something to choose and to sample. */
  boolean isSemantic();

  /**
   * Whether it needs to see one document only. What needs several is a stateful operator: a place
   * of its own in the topology, which no operator may be moved across.
   */
  default boolean isPerDocument() {
    return true;
  }

  /** The word that programs use: {@code map}, {@code filter}, {@code project} and so on. */
  String kind();

  /**
   * Whether this operator may change places with a neighbour: neither reads or replaces what the
   * other writes. Conservative: an operator that reads every field depends on all that write.
   */
  default boolean isIndependentOf(LogicalOperator other) {
    return isPerDocument()
        && other.isPerDocument()
        && !dependsOnWritesOf(other)
        && !other.dependsOnWritesOf(this)
        && disjoint(writtenFields(), other.writtenFields());
  }

  private boolean dependsOnWritesOf(LogicalOperator other) {
    if (other.writtenFields().isEmpty()) {
      return false;
    }
    return reads().isEmpty() || !disjoint(reads(), other.writtenFields());
  }

  private static boolean disjoint(List<String> some, List<String> others) {
    Set<String> common = new HashSet<>(some);
    common.retainAll(others);
    return common.isEmpty();
  }
}

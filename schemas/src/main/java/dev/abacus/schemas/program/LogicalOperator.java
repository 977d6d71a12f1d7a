package dev.abacus.schemas.program;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An operator of a program, independent of its implementation (paper, Table 1). A {@link
 * dev.abacus.schemas.plan.PhysicalOperator} implements it.
 */
public sealed interface LogicalOperator
    permits SemanticMap,
        SemanticFilter,
        Project,
        TopK,
        SemanticRank,
        EntityResolution,
        ReferenceJoin,
        StreamJoin,
        Merge,
        Aggregate,
        Limit {

  /** Unique within the program: lower-case letters, digits and hyphens. */
  String id();

  /** Name of the source or operator that this operator reads from. */
  String input();

  /** All inputs: {@link #input}, and the second stream of a join. */
  default List<String> inputs() {
    return List.of(input());
  }

  /**
   * The same operator at another place.
   *
   * @param inputs as many as {@link #inputs}
   */
  LogicalOperator withInputs(List<String> inputs);

  /** Fields that it reads; empty means all fields of its input. */
  List<String> reads();

  /** Names of the fields that it adds or replaces. */
  default List<String> writtenFields() {
    return List.of();
  }

  /** Whether a model executes it, so that it has implementations to sample and choose. */
  default boolean isSemantic() {
    return true;
  }

  /**
   * Whether it needs to see one document only. What needs several is a stateful operator: a place
   * of its own in the topology, which no operator may be moved across.
   */
  default boolean isPerDocument() {
    return true;
  }

  /** The number of outputs for each document, pair or group that it processes. */
  default Outputs outputs() {
    return Outputs.ONE;
  }

  /** A number of outputs. */
  enum Outputs {
    ONE,
    AT_MOST_ONE,
    AT_LEAST_ONE,
    ANY;

    public boolean mayBeNone() {
      return this == AT_MOST_ONE || this == ANY;
    }

    public boolean mayBeSeveral() {
      return this == AT_LEAST_ONE || this == ANY;
    }
  }

  /**
   * Whether it answers each document with a decision: the document passes unchanged, or is dropped.
   * So it has no output fields, its labels are truth values, and a rare answer counts as much as a
   * frequent one.
   */
  default boolean decides() {
    return false;
  }

  /** Whether it writes items of a reference, so that labels name items. */
  default boolean writesItems() {
    return false;
  }

  /** Whether a model writes exactly one output for each document, so that a limit may pass it. */
  default boolean isOneToOne() {
    return isSemantic() && isPerDocument() && outputs() == Outputs.ONE;
  }

  /** Whether a document may leave it without an output. */
  default boolean mayDrop() {
    return !isPerDocument() || outputs().mayBeNone();
  }

  /** Whether each output is about one document; those of a group or a pair are about several. */
  default boolean isAboutOneDocument() {
    return isPerDocument();
  }

  /** Fields that the model sees; empty means all. A condition in code may read others. */
  default List<String> seenByModel() {
    return reads();
  }

  /**
   * The same operator, whose model sees its fields in another order; this one if prompts about it
   * cannot show them in another order.
   *
   * @param fields the fields of {@link #seenByModel}
   */
  default LogicalOperator withOrder(List<String> fields) {
    return this;
  }

  /**
   * Whether samples do not tell how many outputs it has per input, before its condition: it is over
   * several documents, or has no samples.
   */
  default boolean hasFanout() {
    return !isPerDocument();
  }

  /**
   * The stated number of outputs per input of an operator that {@link #hasFanout}: groups,
   * documents that a limit or a filter in code passes, or candidate pairs per left document. Null
   * if the program does not state it.
   */
  default @Nullable Double fanout() {
    return null;
  }

  /** The keyword in programs, such as {@code map}, {@code filter} or {@code project}. */
  default String kind() {
    return switch (this) {
      case SemanticMap _ -> "map";
      case SemanticFilter _ -> "filter";
      case Project _ -> "project";
      case TopK _ -> "topk";
      case SemanticRank _ -> "rank";
      case EntityResolution _ -> "resolve";
      case ReferenceJoin _, StreamJoin _, Merge _ -> "join";
      case Aggregate _ -> "aggregate";
      case Limit _ -> "limit";
    };
  }

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

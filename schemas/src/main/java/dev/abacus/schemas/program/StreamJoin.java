package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins documents of two streams whose timestamps are close: by an equality key, by a condition in
 * natural language, or by both.
 *
 * @param input the left side
 * @param with name of the source or operator that is the right side
 * @param within maximum difference of the timestamps
 * @param on field that must be equal on both sides; null means that every pair within the window is
 *     a candidate, which requires a condition
 * @param condition a statement about the two documents; null means that equal keys are enough
 * @param reads fields of the left document that the condition uses
 * @param into the field for the right document
 * @param fanout expected number of candidate pairs per left document; null if unknown
 */
public record StreamJoin(
    @JsonProperty("join") String id,
    String input,
    String with,
    Duration within,
    @Nullable String on,
    @Nullable String condition,
    List<String> reads,
    @JsonProperty("kind") JoinKind joinKind,
    String into,
    @Nullable Double fanout)
    implements LogicalOperator {

  public StreamJoin {
    reads = List.copyOf(reads);
    Fanout.requirePositive(fanout, id);
    if (!within.isPositive()) {
      throw new IllegalArgumentException("'within' of join '" + id + "' must be above 0");
    }
    if (on == null && condition == null) {
      throw new IllegalArgumentException(
          "join '" + id + "' needs 'on' (a field that is equal on both sides) or a 'condition'");
    }
  }

  /**
   * Whether an operator behind the join gives the same result on the left document: it reads named
   * fields of the left document only, writes no field that the join uses, and has at most one
   * output.
   */
  public boolean mayFollow(LogicalOperator operator) {
    boolean single = operator.decides() || operator.isOneToOne();
    boolean readsLeft = !operator.reads().isEmpty() && !operator.reads().contains(into);
    List<String> writes = operator.writtenFields();
    boolean unseen =
        writes.isEmpty()
            || ((condition == null || !reads.isEmpty())
                && Collections.disjoint(writes, reads)
                && !writes.contains(into)
                && (on == null || !writes.contains(on)));
    return single && readsLeft && unseen;
  }

  @Override
  public List<String> inputs() {
    return List.of(input, with);
  }

  @Override
  public List<String> writtenFields() {
    return List.of(into);
  }

  @Override
  public Outputs outputs() {
    return Outputs.AT_MOST_ONE;
  }

  @Override
  public boolean isSemantic() {
    return condition != null;
  }

  @Override
  public boolean isPerDocument() {
    return false;
  }

  @Override
  public StreamJoin withInputs(List<String> inputs) {
    return new StreamJoin(
        id, inputs.getFirst(), inputs.get(1), within, on, condition, reads, joinKind, into, fanout);
  }
}

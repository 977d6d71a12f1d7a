package dev.abacus.schemas.observation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.document.Document;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of one sample task.
 *
 * @param taskId the task's id
 * @param operator id of the logical operator
 * @param physical id of the physical operator
 * @param outcome what the operator did
 * @param outputs what it put out: nothing for a filter that dropped, for a failure, or where it was
 *     not asked
 * @param quality score in [0, 1]; 0 for a failure; null if it could not be scored ("unknown")
 * @param scoredBy what the score rests on
 * @param cost USD that the operator takes for such an input, failed attempts included
 * @param latency seconds that the operator itself takes
 * @param judgeCost USD paid for scoring; counts against the budget, not against the operator
 * @param paid USD really paid for the operator itself, if that is not its cost: a sample of a join
 *     asks about some items of the reference, and its cost is the estimate for all; and endpoints
 *     give a discount on examples that they saw before, which live documents do not have
 * @param evidence what is to be learnt from it; null if nothing
 * @param failure why it failed or could not be scored; null if neither
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Observation(
    String taskId,
    String program,
    String operator,
    String physical,
    String exampleId,
    Outcome outcome,
    List<Document> outputs,
    @Nullable Double quality,
    ScoredBy scoredBy,
    double cost,
    double latency,
    double judgeCost,
    @Nullable Double paid,
    @Nullable Evidence evidence,
    @Nullable String failure) {

  /** What an operator did with its input. */
  public enum Outcome {
    /** It put out one document or more. */
    KEPT,
    /** A filter's answer was "no". */
    DROPPED,
    /** It was not asked: its input was embedded, for the sake of the evidence alone. */
    EMBEDDED,
    /** It gave no valid answer, retries included. */
    FAILED
  }

  /** What a score rests on. */
  public enum ScoredBy {
    LABEL,
    JUDGE,
    /** A failure is 0 without asking anybody. */
    FAILURE,
    /** Neither a label nor a judgement was to be had. */
    NOBODY
  }

  public Observation {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(scoredBy, "scoredBy");
    outputs = outputs == null ? List.of() : List.copyOf(outputs);
    if (quality != null && !(quality >= 0 && quality <= 1)) {
      throw new IllegalArgumentException("quality " + quality + " is not in [0, 1]");
    }
    requireAmount("cost", cost);
    requireAmount("latency", latency);
    requireAmount("judgeCost", judgeCost);
    requireAmount("paid", paid == null ? 0 : paid);
  }

  /** An observation whose cost was paid. */
  public Observation(
      String taskId,
      String program,
      String operator,
      String physical,
      String exampleId,
      Outcome outcome,
      List<Document> outputs,
      @Nullable Double quality,
      ScoredBy scoredBy,
      double cost,
      double latency,
      double judgeCost,
      @Nullable Evidence evidence,
      @Nullable String failure) {
    this(
        taskId, program, operator, physical, exampleId, outcome, outputs, quality, scoredBy, cost,
        latency, judgeCost, null, evidence, failure);
  }

  /** An observation that nothing is to be learnt from but its score. */
  public Observation(
      String taskId,
      String program,
      String operator,
      String physical,
      String exampleId,
      Outcome outcome,
      List<Document> outputs,
      @Nullable Double quality,
      ScoredBy scoredBy,
      double cost,
      double latency,
      double judgeCost,
      @Nullable String failure) {
    this(
        taskId, program, operator, physical, exampleId, outcome, outputs, quality, scoredBy, cost,
        latency, judgeCost, null, null, failure);
  }

  /** USD that the sample really cost, judge included. */
  @JsonIgnore
  public double spent() {
    return (paid == null ? cost : paid) + judgeCost;
  }

  private static void requireAmount(String name, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " " + amount + " is not a number >= 0");
    }
  }
}

package dev.abacus.optimizer.estimate;

import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What one piece of {@link Evidence} says of its implementation. The mean of the measurements of an
 * implementation is its estimate by the {@link Estimator} of the operator.
 *
 * @param id of the evidence
 * @param example id of the document
 * @param call id of the call that several documents share; null for a call of its own
 * @param judged whether the level is that of the judge: the score is the judge's, or a chosen label
 *     replaced the judge's ({@link OperatorContext#chosenLabels})
 * @param answered whether there is a valid answer
 * @param quality in [0, 1]; null if unknown. A score that was moved by what the judge says of live
 *     outputs may be outside
 * @param seen the score before it was moved; null if unknown
 * @param rest deviation of a moved score ÷ that of a score; 1 if it was not moved
 * @param cost USD
 * @param latency seconds
 * @param outputs number of outputs per input; says nothing without an answer
 */
@RecordBuilder
public record Measurement(
    String id,
    String example,
    @Nullable String call,
    boolean judged,
    boolean answered,
    @Nullable Double quality,
    @Nullable Double seen,
    double rest,
    double cost,
    double latency,
    double outputs)
    implements MeasurementBuilder.With {

  /** A measurement of what was seen. */
  public static Measurement of(Observation seen) {
    return of(seen, seen.quality(), seen.cost(), seen.latency(), seen.outputCount());
  }

  static Measurement of(
      Observation seen, @Nullable Double quality, double cost, double latency, double outputs) {
    Observation.Batch batch = seen.batch();
    return new Measurement(
        seen.taskId(),
        seen.exampleId(),
        batch == null ? null : batch.id(),
        seen.scoredBy() == Observation.ScoredBy.JUDGE,
        isAnswered(seen),
        quality,
        quality,
        1,
        cost,
        latency,
        outputs);
  }

  static boolean isAnswered(Observation seen) {
    return seen.outcome() == Outcome.KEPT || seen.outcome() == Outcome.DROPPED;
  }
}

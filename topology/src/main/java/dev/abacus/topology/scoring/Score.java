package dev.abacus.topology.scoring;

import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.topology.operator.OperatorFailure.ModelFailed;
import org.jspecify.annotations.Nullable;

/**
 * The quality of one output.
 *
 * @param quality in [0, 1]; null means unknown
 * @param scoredBy the source of the quality
 * @param judgeCost USD; 0 if no judge was asked or its judgement was cached
 * @param reason why the quality is unknown or the operator failed; null otherwise
 * @param pairs the pairs of a join with the results that it is scored by; null otherwise
 * @param fault the fault of the provider of the judge that is the reason; null otherwise
 */
public record Score(
    @Nullable Double quality,
    ScoredBy scoredBy,
    double judgeCost,
    @Nullable String reason,
    Evidence.@Nullable Pairs pairs,
    @Nullable ModelFailed fault) {

  /** No score, because the sample needs none. */
  public static final Score NONE = new Score(null, ScoredBy.NOBODY, 0, null, null, null);

  public Score {
    if (quality != null && !(quality >= 0 && quality <= 1)) {
      throw new IllegalArgumentException("quality " + quality + " is not in [0, 1]");
    }
  }

  static Score known(double quality, ScoredBy scoredBy, double judgeCost) {
    return new Score(quality, scoredBy, judgeCost, null, null, null);
  }

  /** This score of a join with its pairs. */
  Score with(Evidence.Pairs scored) {
    return new Score(quality, scoredBy, judgeCost, reason, scored, fault);
  }

  static Score unknown(String reason, double judgeCost) {
    return new Score(null, ScoredBy.NOBODY, judgeCost, reason, null, null);
  }

  /** The quality of a failure of the implementation is 0. */
  static Score failed(String reason) {
    return new Score(0.0, ScoredBy.FAILURE, 0, reason, null, null);
  }

  /** The provider of the judge is the reason that the quality is unknown. */
  static Score unavailable(ModelFailed judge, double judgeCost) {
    return new Score(null, ScoredBy.NOBODY, judgeCost, "judge " + judge.message(), null, judge);
  }
}

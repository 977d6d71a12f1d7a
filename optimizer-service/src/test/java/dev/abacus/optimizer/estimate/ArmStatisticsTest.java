package dev.abacus.optimizer.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ArmStatisticsTest {

  @Test
  void meansCountsAndSpreads() {
    ArmStatistics arm =
        arm(
            observation("t1", "e1", Outcome.KEPT, 1.0, 0.1, 2),
            observation("t2", "e2", Outcome.DROPPED, 0.5, 0.3, 4));
    assertThat(arm.samples()).isEqualTo(2);
    assertThat(arm.estimate()).isEqualTo(new OperatorEstimate(0.75, 0.2, 3, 0.5));
    SampleSummary latency = Objects.requireNonNull(arm.get(Metric.LATENCY));
    assertThat(latency.deviation()).isEqualTo(Math.sqrt(2), within(1e-12));
    assertThat(latency.standardError()).isEqualTo(1, within(1e-12));
  }

  @Test
  void anUnknownScoreCountsForEverythingButQuality() {
    ArmStatistics arm =
        arm(
            observation("t1", "e1", Outcome.KEPT, 0.8, 0.1, 2),
            observation("t2", "e2", Outcome.KEPT, null, 0.3, 4));
    assertThat(arm.samples()).isEqualTo(2);
    assertThat(Objects.requireNonNull(arm.quality()).count()).isOne();
    assertThat(arm.estimate()).isEqualTo(new OperatorEstimate(0.8, 0.2, 3, 1));
  }

  @Test
  void withoutAnyScoreAnImplementationIsNotEligible() {
    assertThat(arm(observation("t1", "e1", Outcome.KEPT, null, 0.1, 2)).estimate()).isNull();
  }

  @Test
  void aFailureIsQualityZeroAtItsRealCostAndNoSelectivity() {
    ArmStatistics arm =
        arm(
            observation("t1", "e1", Outcome.KEPT, 1.0, 0.1, 2),
            observation("t2", "e2", Outcome.FAILED, 0.0, 0.5, 2));
    assertThat(arm.failures()).isOne();
    assertThat(arm.estimate()).isEqualTo(new OperatorEstimate(0.5, 0.3, 2, 1));
  }

  private static ArmStatistics arm(Observation... observations) {
    return ArmStatistics.of(Stream.of(observations).map(Measurement::of).toList());
  }

  private static Observation observation(
      String task,
      String example,
      Outcome outcome,
      @Nullable Double quality,
      double cost,
      double latency) {
    Document document = Document.empty();
    return Observation.builder(task, "test", "f", "good", example)
        .outcome(outcome)
        .outputs(outcome == Outcome.KEPT ? List.of(document) : List.of())
        .quality(quality)
        .scoredBy(quality == null ? ScoredBy.NOBODY : ScoredBy.LABEL)
        .cost(cost)
        .latency(latency)
        .judgeCost(0.01)
        .build();
  }
}

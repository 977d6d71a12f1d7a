package dev.abacus.optimizer.search.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatisticsTest {

  private static final PhysicalOperator GOOD = new ModelSelection("good");
  private static final PhysicalOperator FAIR = new ModelSelection("fair");
  private static final Map<String, List<PhysicalOperator>> SPACE = Map.of("f", List.of(GOOD, FAIR));

  private final Statistics statistics = new Statistics(SPACE);

  @Test
  void meansCountsAndSpreads() {
    statistics.add(observation("t1", "e1", Outcome.KEPT, 1.0, 0.1, 2));
    statistics.add(observation("t2", "e2", Outcome.DROPPED, 0.5, 0.3, 4));
    ArmStatistics arm = arm();
    assertThat(arm.samples()).isEqualTo(2);
    assertThat(arm.examples()).containsExactly("e1", "e2");
    assertThat(arm.estimate()).isEqualTo(new OperatorEstimate(0.75, 0.2, 3, 0.5));
    SampleSummary latency = Objects.requireNonNull(arm.get(Metric.LATENCY));
    assertThat(latency.deviation()).isEqualTo(Math.sqrt(2), within(1e-12));
    assertThat(latency.spread()).isEqualTo(2);
    assertThat(statistics.spread("f", Metric.LATENCY)).isEqualTo(2);
    assertThat(statistics.spread("g", Metric.LATENCY)).isZero();
    assertThat(statistics.samples("f")).isEqualTo(2);
    assertThat(statistics.samples()).isEqualTo(2);
    assertThat(statistics.operatorCost()).isEqualTo(0.4, within(1e-12));
    assertThat(statistics.judgeCost()).isEqualTo(0.02, within(1e-12));
  }

  @Test
  void aTaskCountsOnceHoweverOftenItIsReported() {
    assertThat(statistics.add(observation("t1", "e1", Outcome.KEPT, 1.0, 0.1, 2))).isTrue();
    assertThat(statistics.add(observation("t1", "e1", Outcome.KEPT, 1.0, 0.1, 2))).isFalse();
    assertThat(arm().samples()).isOne();
  }

  @Test
  void anUnknownScoreCountsForEverythingButQuality() {
    statistics.add(observation("t1", "e1", Outcome.KEPT, 0.8, 0.1, 2));
    statistics.add(observation("t2", "e2", Outcome.KEPT, null, 0.3, 4));
    assertThat(arm().unknown()).isOne();
    assertThat(arm().estimate()).isEqualTo(new OperatorEstimate(0.8, 0.2, 3, 1));
  }

  @Test
  void withoutAnyScoreAnImplementationIsNotEligible() {
    statistics.add(observation("t1", "e1", Outcome.KEPT, null, 0.1, 2));
    assertThat(arm().estimate()).isNull();
    assertThat(statistics.estimates().of("f")).isEmpty();
    assertThat(statistics.find("f", FAIR)).isNull();
  }

  @Test
  void aFailureIsQualityZeroAtItsRealCostAndNoSelectivity() {
    statistics.add(observation("t1", "e1", Outcome.KEPT, 1.0, 0.1, 2));
    statistics.add(observation("t2", "e2", Outcome.FAILED, 0.0, 0.5, 2));
    assertThat(arm().failures()).isOne();
    assertThat(arm().estimate()).isEqualTo(new OperatorEstimate(0.5, 0.3, 2, 1));
  }

  @Test
  void observationsOfOtherImplementationsAreCountedApart() {
    Statistics narrow = new Statistics(Map.of("f", List.of(FAIR)));
    assertThat(narrow.add(observation("t1", "e1", Outcome.KEPT, 1.0, 0.1, 2))).isFalse();
    assertThat(narrow.foreign()).isOne();
    assertThat(narrow.of("f")).isEmpty();
  }

  @Test
  void theSameObservationsGiveTheSameDoublesInAnyOrderAndWithRepeats() {
    Random random = new Random(3);
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Double quality = random.nextInt(5) == 0 ? null : Double.valueOf(random.nextDouble());
      observations.add(
          observation(
              "t" + i,
              "e" + i % 7,
              Outcome.KEPT,
              quality,
              random.nextDouble(),
              random.nextDouble()));
    }
    observations.add(observation("t0", "e0", Outcome.KEPT, 0.123, 0.5, 0.5));
    observations.forEach(statistics::add);
    for (int round = 0; round < 20; round++) {
      Collections.shuffle(observations, random);
      Statistics other = new Statistics(SPACE);
      observations.forEach(other::add);
      observations.subList(0, 9).forEach(other::add);
      assertThat(other.estimates()).isEqualTo(statistics.estimates());
      assertThat(other.of("f")).isEqualTo(statistics.of("f"));
    }
  }

  @Test
  void priorsFillInWhatWasNotObserved() {
    statistics.add(observation("t1", "e1", Outcome.KEPT, 1.0, 0.1, 2));
    OperatorEstimate prior = new OperatorEstimate(0.3, 0.1, 1, 1);
    Estimates both =
        statistics
            .estimates()
            .withFallback(Estimates.of(Map.of("f", Map.of(GOOD, prior, FAIR, prior))));
    assertThat(both.of("f"))
        .containsEntry(FAIR, prior)
        .containsEntry(GOOD, new OperatorEstimate(1, 0.1, 2, 1));
    LogicalOperator filter = Given.program(Given.filter("f", "a")).operators().getFirst();
    assertThat(both.candidates(filter))
        .extracting(Candidate::id)
        .containsExactly("model-selection(fair)", "model-selection(good)");
  }

  private ArmStatistics arm() {
    return Objects.requireNonNull(statistics.find("f", GOOD));
  }

  private static Observation observation(
      String task,
      String example,
      Outcome outcome,
      @Nullable Double quality,
      double cost,
      double latency) {
    Document document = Document.empty();
    return Observation.builder(task, "test", "f", GOOD.id(), example)
        .outcome(outcome)
        .outputs(outcome == Outcome.KEPT ? List.of(document) : List.of())
        .score(quality, quality == null ? ScoredBy.NOBODY : ScoredBy.LABEL)
        .cost(cost)
        .latency(latency)
        .judgeCost(0.01)
        .build();
  }
}

package dev.abacus.optimizer.loop.wholeplan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.AsMeasured;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.sampling.surrogate.SurrogateSampling;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.Range;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The 95 % interval of an implementation that is right or wrong, over all outcomes of a number of
 * samples, each with its binomial probability.
 */
class RightOrWrongTest {

  private static final List<Arm> ARM = List.of(Arm.of(new ModelSelection("model")));

  private static Range estimate(int right, int samples) {
    Map<String, Sample> byExample = new HashMap<>();
    String id = ARM.getFirst().id();
    for (int i = 0; i < samples; i++) {
      byExample.put(
          "e" + i,
          new Sample.Observed(
              Observation.builder("t" + i, "p", "classify", id, "e" + i)
                  .quality(i < right ? 1.0 : 0.0)
                  .scoredBy(Observation.ScoredBy.LABEL)
                  .cost(0.01)
                  .latency(1)
                  .build()));
    }
    SamplingState state =
        SamplingBench.stateOf(
            ObjectiveParser.parse("maximize quality"),
            List.of(
                AsMeasured.of(
                    "classify", ARM, List.copyOf(byExample.keySet()), Map.of(id, byExample))));
    Belief belief =
        Objects.requireNonNull(
            new SurrogateSampling(1, Priors.NONE)
                .beliefs(state)
                .getOrDefault("classify", Map.of())
                .get(ARM.getFirst()));
    return UncertainPlan.of(
            new PlanChoice(List.of(), new Estimate(belief.mean().quality(), 0.01, 1)),
            List.of(belief))
        .range(Dimension.QUALITY);
  }

  private static double probability(int right, int samples, double rate) {
    double coefficient =
        IntStream.rangeClosed(1, right)
            .mapToDouble(i -> (samples - right + i) / (double) i)
            .reduce(1, (a, b) -> a * b);
    return coefficient * Math.pow(rate, right) * Math.pow(1 - rate, samples - right);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 10, 20, 40})
  void theIntervalContainsTheTrueRate(int samples) {
    List<Range> estimates =
        IntStream.rangeClosed(0, samples).mapToObj(right -> estimate(right, samples)).toList();
    for (double rate : new double[] {0.8, 0.9, 0.95, 0.99}) {
      double coverage = 0;
      double bias = 0;
      double width = 0;
      for (int right = 0; right <= samples; right++) {
        Range range = estimates.get(right);
        double low = Objects.requireNonNull(range.low());
        double high = Objects.requireNonNull(range.high());
        double probability = probability(right, samples, rate);
        coverage += low <= rate && rate <= high ? probability : 0;
        bias += probability * (range.mean() - rate);
        width += probability * (high - low);
      }
      assertThat(coverage).as("%d samples, rate %s", samples, rate).isGreaterThan(0.9);
      assertThat(bias).isBetween(samples < 20 ? -0.08 : -0.025, 0.01);
      assertThat(width)
          .isLessThan(
              1.5 * 4 / Math.sqrt(samples + 4) * Math.sqrt(rate * (1 - rate) + 2.0 / samples));
    }
  }

  @Test
  void nineteenOfNineteenAreNotCertainty() {
    Range range = estimate(19, 19);

    assertThat(range.mean()).isBetween(0.95, 0.985);
    assertThat(range.low()).isLessThan(0.92);
  }
}

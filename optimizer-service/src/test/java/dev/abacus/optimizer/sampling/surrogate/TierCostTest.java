package dev.abacus.optimizer.sampling.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.TierPrices;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.AsMeasured;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.plan.ModelSelection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The price of a tier is known; it is not learnt from samples. */
class TierCostTest {

  private static final Arm STANDARD = Arm.of(new ModelSelection("a"));
  private static final Arm FLEX = Arm.of(new ModelSelection("a@flex"));

  static LongStream seeds() {
    return LongStream.range(0, 40);
  }

  private static Observation seen(Arm arm, int example, double usd, double standard, double flex) {
    return Observation.builder(arm.id() + "/" + example, "p", "o", arm.id(), "e" + example)
        .quality(0.7)
        .scoredBy(ScoredBy.LABEL)
        .cost(usd)
        .latency(1)
        .atTiers(Map.of("standard", standard, "flex", flex))
        .build();
  }

  /** With 1 to 12 samples and prices of 0.1 to 0.9. */
  @ParameterizedTest
  @MethodSource("seeds")
  void samplesAtTheStandardTierTellTheCostAtTheOther(long seed) {
    Random random = new Random(seed);
    int samples = 1 + random.nextInt(12);
    double price = 0.1 + 0.8 * random.nextDouble();
    Map<String, Sample> byExample = new HashMap<>();
    for (int i = 0; i < samples; i++) {
      double usd = 0.001 * Math.exp(random.nextGaussian());
      byExample.put("e" + i, new Sample.Observed(seen(STANDARD, i, usd, 1, price)));
    }
    List<Arm> arms =
        Stream.concat(
                Stream.of(STANDARD, FLEX),
                IntStream.range(0, 3).mapToObj(i -> Arm.of(new ModelSelection("m" + i))))
            .toList();
    SamplingState state =
        SamplingBench.stateOf(
            ObjectiveParser.parse("maximize quality subject to cost <= 0.01"),
            List.of(
                AsMeasured.of(
                    "o",
                    arms,
                    IntStream.range(0, 20).mapToObj(i -> "e" + i).toList(),
                    Map.of(STANDARD.id(), byExample))));
    Map<Arm, Belief> beliefs =
        Objects.requireNonNull(new SurrogateSampling(1, Priors.NONE).beliefs(state).get("o"));
    Belief standard = Objects.requireNonNull(beliefs.get(STANDARD));
    Belief flex = Objects.requireNonNull(beliefs.get(FLEX));

    assertThat(flex.mean().cost() / standard.mean().cost()).isEqualTo(price, within(1e-9));
    assertThat(flex.cost().deviation()).isLessThanOrEqualTo(standard.cost().deviation() + 1e-9);
  }

  /** Half of the calls that asked for the tier were answered, and charged, at the standard tier. */
  @Test
  void refusedCallsAreInTheCostOfTheTierAndNotInThatOfTheStandardTier() {
    List<Observation> observations =
        List.of(seen(STANDARD, 0, 1, 1, 0.5), seen(FLEX, 1, 0.5, 2, 1), seen(FLEX, 2, 1, 1, 0.5));
    TierPrices prices = TierPrices.of(observations);

    assertThat(prices.of(STANDARD.id())).isEqualTo(1);
    assertThat(prices.of(FLEX.id())).isEqualTo(0.75, within(1e-9));
    assertThat(prices.of("model-selection(b@flex)")).isEqualTo(0.75, within(1e-9));
  }
}

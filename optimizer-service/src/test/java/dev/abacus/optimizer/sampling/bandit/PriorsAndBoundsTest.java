package dev.abacus.optimizer.sampling.bandit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Why the paper's bandit with good priors misses tight bounds on cost. All arms on the believed
 * front are equally near it, the tie goes to quality, and arms of a front never displace each
 * other.
 */
class PriorsAndBoundsTest {

  private static final int ARMS = 20;
  private static final int EXAMPLES = 30;
  private static final String TIGHT = "maximize quality subject to cost <= 0.01";

  /** Each arm is a little worse than the one before it and costs half as much. */
  private static OperatorEstimate truth(int arm) {
    return new OperatorEstimate(0.95 - 0.02 * arm, Math.pow(0.5, arm), 1, 1);
  }

  private static SamplingBench bench() {
    return new SamplingBench(
        ARMS,
        EXAMPLES,
        pull -> {
          OperatorEstimate truth = truth(SamplingBench.index(pull.arm()));
          double noise =
              0.02 * (Math.floorMod(SeededHash.of(1, pull.toString()), 100) / 100.0 - 0.5);
          return SamplingBench.observed(pull, truth.quality() + noise, truth.cost(), 1);
        });
  }

  private static Reservoir believing() {
    Map<String, OperatorEstimate> exact = new HashMap<>();
    for (int arm = 0; arm < ARMS; arm++) {
      exact.put("m" + arm, truth(arm));
    }
    return Reservoir.believing(new Priors(Map.of(SamplingBench.OPERATOR, exact)), 7);
  }

  private static List<Integer> drawn(SamplingBench bench) {
    return bench.arms().stream()
        .filter(arm -> bench.drawn(arm) > 0)
        .map(SamplingBench::index)
        .toList();
  }

  @Test
  void exactPriorsFillTheFrontierWithTheBestAndNoneLeavesBeforeItHasEveryExample() {
    SamplingBench bench = bench();

    bench.play(new BanditSampling(believing(), 6, 4), TIGHT, 6 * EXAMPLES);

    assertThat(drawn(bench)).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(truth(5).cost()).as("the cheapest that was tried").isGreaterThan(0.01);

    Proposal end = bench.play(new BanditSampling(believing(), 6, 4), TIGHT, ARMS * EXAMPLES);
    assertThat(drawn(bench)).hasSize(ARMS);
    assertThat(end.conclusions()).containsValue(Conclusion.EVERY_PAIR_SAMPLED);
  }

  @Test
  void withoutPriorsChanceBringsCheapArmsIn() {
    SamplingBench bench = bench();

    bench.play(Bandits.seeded(7), TIGHT, ARMS * EXAMPLES);

    assertThat(drawn(bench)).anyMatch(arm -> truth(arm).cost() <= 0.01);
  }
}

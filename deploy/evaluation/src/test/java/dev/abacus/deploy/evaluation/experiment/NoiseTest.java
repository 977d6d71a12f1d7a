package dev.abacus.deploy.evaluation.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.plan.HeadAndTail;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Implementations of one model and of two that are right on 80 % of the examples. */
class NoiseTest {

  private static final int EXAMPLES = 1_000;

  private static LandscapeArm arm(String model, int tokens) {
    return new LandscapeArm(
        Arm.of(new HeadAndTail(model, tokens)), new OperatorEstimate(0.8, 0.01, 1, 1));
  }

  private static boolean isRight(double sharedMistakes, LandscapeArm arm, int example) {
    return new Noise(0.02, 0.3, 0, sharedMistakes)
            .sample(1, "classify", arm, "e" + example)
            .quality()
        > 0.5;
  }

  /** The share of the examples on which two implementations are both right or both wrong. */
  private static double agreement(double sharedMistakes, LandscapeArm one, LandscapeArm other) {
    return IntStream.range(0, EXAMPLES)
            .filter(i -> isRight(sharedMistakes, one, i) == isRight(sharedMistakes, other, i))
            .count()
        / (double) EXAMPLES;
  }

  @Test
  void implementationsOfAModelShareTheStatedShareOfTheirMistakes() {
    assertThat(agreement(0, arm("m", 1), arm("m", 2))).isBetween(0.62, 0.74);
    assertThat(agreement(0.5, arm("m", 1), arm("m", 2))).isBetween(0.79, 0.89);
    assertThat(agreement(1, arm("m", 1), arm("m", 2))).isEqualTo(1);
    assertThat(agreement(1, arm("m", 1), arm("n", 1))).isBetween(0.62, 0.74);
  }

  @Test
  void sharedMistakesDoNotChangeTheMean() {
    double right =
        IntStream.range(0, EXAMPLES).filter(i -> isRight(0.5, arm("m", 1), i)).count()
            / (double) EXAMPLES;

    assertThat(right).isBetween(0.76, 0.84);
  }

  @Test
  void aPlanIsWorthTheMeanOfTheProductOfItsOperators() {
    Noise noise = new Noise(8, 0.3, 0.1, 0);
    LandscapeArm one = arm("m", 1);
    LandscapeArm other = arm("n", 1);
    double mean =
        IntStream.range(0, 50 * EXAMPLES)
            .mapToDouble(i ->
                noise.sample(1, "extract", one, "e" + i).quality()
                    * noise.sample(1, "classify", other, "e" + i).quality())
            .average()
            .orElseThrow();

    assertThat(noise.meanOfProduct(List.of(0.8, 0.8))).isCloseTo(mean, within(0.002));
    assertThat(mean).isGreaterThan(0.8 * 0.8 + 0.005);
  }

  @Test
  void oneOperatorIsWorthItsMean() {
    assertThat(new Noise(8, 0.3, 0.3, 0).meanOfProduct(List.of(0.9))).isEqualTo(0.9);
  }
}

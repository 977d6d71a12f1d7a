package dev.abacus.deploy.evaluation.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Generated landscapes have the shape that was asked for. */
class LandscapeGeneratorTest {

  private static final LandscapeGenerator.Shape FEW_NEAR_THE_BEST =
      new LandscapeGenerator.Shape(4, 0.2, 0.5, 5, 0.9, 0.3, 0);

  private static List<LandscapeArm> arms(LandscapeGenerator.Shape shape, long seed) {
    return LandscapeGenerator.landscape("map", shape, seed).arms();
  }

  private static LandscapeGenerator.Shape with(double peak, double failing) {
    return new LandscapeGenerator.Shape(4, 0.2, 0.5, peak, 0.9, 0.3, failing);
  }

  private static long above(List<LandscapeArm> arms, double quality) {
    return arms.stream().filter(arm -> arm.truth().quality() > quality).count();
  }

  @Test
  void theImplementationsAreThoseOfTheMeasuredLandscapes() {
    assertThat(arms(FEW_NEAR_THE_BEST, 1)).hasSize(272);
    assertThat(
            arms(FEW_NEAR_THE_BEST, 1).stream()
                .map(arm -> arm.arm().technique())
                .collect(Collectors.toSet()))
        .isEqualTo(
            Set.of(
                "model-selection", "reduced-context", "critique-and-refine", "mixture-of-agents"));
  }

  @Test
  void theSeedDecides() {
    assertThat(arms(FEW_NEAR_THE_BEST, 1)).isEqualTo(arms(FEW_NEAR_THE_BEST, 1));
    assertThat(arms(FEW_NEAR_THE_BEST, 1)).isNotEqualTo(arms(FEW_NEAR_THE_BEST, 2));
    assertThat(LandscapeGenerator.Shape.of(1)).isNotEqualTo(LandscapeGenerator.Shape.of(2));
  }

  @Test
  void thePeakDecidesHowManyAreNearTheBest() {
    assertThat(above(arms(with(5, 0), 1), 0.6)).isLessThan(20);
    assertThat(above(arms(with(0.3, 0), 1), 0.6)).isGreaterThan(120);
    assertThat(arms(with(5, 0), 1))
        .extracting(arm -> arm.truth().quality())
        .allMatch(quality -> quality >= 0.2 && quality <= 0.7)
        .contains(0.7);
  }

  @Test
  void failingModelsHaveTheMedianQualityAtAMultipleOfTheCost() {
    List<LandscapeArm> sound = arms(with(1, 0), 1);
    List<LandscapeArm> failing = arms(with(1, 0.3), 1);
    long atMedian = failing.stream().filter(arm -> arm.truth().quality() == 0.45).count();
    assertThat(atMedian).isBetween(50L, 80L);
    assertThat(cost(failing)).isGreaterThan(1.2 * cost(sound));
  }

  @Test
  void costsSpanOrdersOfMagnitude() {
    double logarithms = 0;
    for (int seed = 0; seed < 20; seed++) {
      double[] costs =
          arms(FEW_NEAR_THE_BEST, seed).stream()
              .mapToDouble(arm -> arm.truth().cost())
              .sorted()
              .toArray();
      logarithms += Math.log10(costs[costs.length - 1] / costs[0]);
    }
    assertThat(logarithms / 20).isBetween(2.0, 4.0);
  }

  private static double cost(List<LandscapeArm> arms) {
    return arms.stream().mapToDouble(arm -> arm.truth().cost()).sum();
  }
}

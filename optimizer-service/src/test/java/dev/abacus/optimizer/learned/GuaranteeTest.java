package dev.abacus.optimizer.learned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.observation.Evidence.Pair;
import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Counts how often a stated guarantee fails over many runs. The limit is the stated rate of 5 %
 * plus three standard deviations of a binomial count.
 */
class GuaranteeTest {

  private static final int RUNS = 500;

  private static double limit(int runs) {
    return runs * BinomialBound.RISK
        + 3 * Math.sqrt(runs * BinomialBound.RISK * (1 - BinomialBound.RISK));
  }

  /** The probability that a pair of this similarity is a match. */
  private static double matchRate(double similarity, double steepness) {
    return 1 / (1 + Math.exp(-steepness * (similarity - 0.5)));
  }

  /**
   * Pairs with uniform similarity. If weighted, one in ten of the dissimilar pairs is drawn, with
   * weight 10.
   */
  private static List<JoinThresholds.Example> pairs(
      int count, double steepness, boolean weighted, Random random) {
    List<JoinThresholds.Example> examples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double similarity = random.nextDouble();
      boolean match = random.nextDouble() < matchRate(similarity, steepness);
      double weight = weighted && !match ? 10 : 1;
      if (random.nextDouble() < 1 / weight) {
        examples.add(
            new JoinThresholds.Example(
                "e" + i, List.of(new Pair(null, similarity, match, true, weight, null))));
      }
    }
    return examples;
  }

  /** The true precision above a threshold. */
  private static double precision(double threshold, double steepness) {
    double sum = 0;
    int steps = 2_000;
    for (int i = 0; i < steps; i++) {
      sum += matchRate(threshold + (1 - threshold) * (i + 0.5) / steps, steepness);
    }
    return sum / steps;
  }

  @ParameterizedTest
  @CsvSource({
    "300, 5, false",
    "1000, 6, false",
    "1000, 8, false",
    "3000, 8, true",
    "6000, 12, true"
  })
  void thePrecisionOfAJoinFailsInAtMostTheStatedShareOfRuns(
      int count, double steepness, boolean weighted) {
    int failed = 0;
    int granted = 0;
    for (int run = 0; run < RUNS; run++) {
      Double high =
          JoinThresholds.of(pairs(count, steepness, weighted, new Random(run * 31L + count)))
              .high();
      if (high != null) {
        granted++;
        failed += precision(Math.max(0, high), steepness) < JoinThresholds.TARGET ? 1 : 0;
      }
    }
    assertThat(failed).as("failures of %d granted", granted).isLessThanOrEqualTo((int) limit(RUNS));
    if (steepness > 7) {
      assertThat(granted).as("granted").isGreaterThan(RUNS / 4);
    }
  }

  @ParameterizedTest
  @CsvSource({"150, 0.3, 0.06, 0.9", "300, 0.5, 0.08, 0.9", "300, 0.6, 0.02, 0.95"})
  void thePrecisionOfAClassifierFailsInAtMostTheStatedShareOfRuns(
      int examples, double scatter, double wrongLabels, double target) {
    Clouds clouds = new Clouds(2, 4, scatter, wrongLabels);
    int runs = 400;
    int failed = 0;
    for (int run = 0; run < runs; run++) {
      Random random = new Random(run * 17L + examples);
      FittedClassifier fitted = FittedClassifier.fit(clouds.draw(examples, random), clouds.names());
      TrainedClassifier classifier = fitted.at(target).classifier();
      if (classifier != null) {
        LinearClassifier deployed = LinearClassifier.of(classifier);
        int alone = 0;
        int right = 0;
        for (LabelledVector fresh : clouds.draw(4_000, random)) {
          String answer = deployed.answer(fresh.vector());
          alone += answer == null ? 0 : 1;
          right += clouds.names().get(fresh.answer()).equals(answer) ? 1 : 0;
        }
        // Two standard deviations of the estimate on fresh examples.
        double slack = 2 * Math.sqrt(target * (1 - target) / Math.max(1, alone));
        failed += alone > 0 && right < (target - slack) * alone ? 1 : 0;
      }
    }
    assertThat(failed).isLessThanOrEqualTo((int) limit(runs));
  }
}

package dev.abacus.optimizer.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SelectivityPosteriorTest {

  /** One-sided 95 % quantile of the normal distribution. */
  private static final double DEVIATIONS = 1.645;

  @Test
  void theTrueShareOfAFilterIsRarelyAboveTheUpperBound() {
    Random random = new Random(5);
    for (int examples : new int[] {8, 20, 60}) {
      for (double share : new double[] {0.1, 0.3, 0.5, 0.8}) {
        int covered = 0;
        int runs = 4_000;
        for (int run = 0; run < runs; run++) {
          int kept = 0;
          for (int i = 0; i < examples; i++) {
            kept += random.nextDouble() < share ? 1 : 0;
          }
          double mean = (double) kept / examples;
          SelectivityPosterior posterior =
              new SelectivityPosterior(1, examples, kept < examples, false, 0);
          // A filter that kept every example cannot keep more.
          covered +=
              mean == 1 || share <= mean + DEVIATIONS * posterior.deviation(mean) + 0.5 / examples
                  ? 1
                  : 0;
        }
        assertThat((double) covered / runs)
            .as("%d examples, share %s", examples, share)
            .isBetween(0.85, 1.0);
      }
    }
  }

  @Test
  void moreExamplesMakeItSmallerAndOneToOneOperatorsHaveNone() {
    assertThat(new SelectivityPosterior(1, 40, true, false, 0).deviation(0.3))
        .isLessThan(new SelectivityPosterior(1, 10, true, false, 0).deviation(0.3) * 0.55);
    assertThat(new SelectivityPosterior(1, 10, false, false, 0).deviation(1)).isZero();
    assertThat(new SelectivityPosterior(1, 10, true, false, 0).deviation(0)).isPositive();
    assertThat(new SelectivityPosterior(1, 10, true, true, 4).deviation(3))
        .isGreaterThan(new SelectivityPosterior(1, 10, true, true, 1).deviation(3));
  }
}

package dev.abacus.schemas.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeTest {

  private static final int DRAWS = 4_000;

  /** With four documents, 1.96 standard errors contain the mean in 85 % of the cases only. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 40})
  void theIntervalContainsTheMeanIn95Percent(int number) {
    Random random = new Random(number);
    int contained = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < number; i++) {
        double value = 3 + random.nextGaussian();
        sum += value;
        squares += value * value;
      }
      Range range = Range.ofMean(number, sum, squares);
      contained +=
          Objects.requireNonNull(range.low()) <= 3 && 3 <= Objects.requireNonNull(range.high())
              ? 1
              : 0;
    }
    assertThat(contained / (double) DRAWS).isBetween(0.94, 0.96);
  }

  /** Two right answers do not tell that all are right. */
  @Test
  void equalValuesHaveNoInterval() {
    assertThat(Range.ofMean(2, 2, 2)).isEqualTo(Range.of(1));
    assertThat(Range.ofMean(3, 3 * 0.1, 3 * 0.1 * 0.1).low()).isNull();
    assertThat(Range.ofMean(5, 0, 0)).isEqualTo(Range.of(0));
  }
}

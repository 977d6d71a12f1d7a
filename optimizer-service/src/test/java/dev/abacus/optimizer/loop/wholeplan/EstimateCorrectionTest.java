package dev.abacus.optimizer.loop.wholeplan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EstimateCorrectionTest {

  private static final List<Double> LOWER = Collections.nCopies(50, -0.3);

  @Test
  void aPlanWithoutMeasurementsIsNotCorrected() {
    assertThat(EstimateCorrection.of(Map.of()).factor("writers", "plan")).isEqualTo(1);
  }

  @Test
  void aClearDifferenceCorrectsAllPlansWithTheSameImplementationsUpstream() {
    EstimateCorrection correction =
        EstimateCorrection.of(Map.of("writers", Map.of("measured", LOWER)));

    assertThat(correction.factor("writers", "measured")).isCloseTo(0.7, within(0.01));
    assertThat(correction.factor("writers", "other")).isCloseTo(0.7, within(0.01));
    assertThat(correction.factor("others", "other")).isEqualTo(1);
  }

  @Test
  void noiseIsShrunkToZero() {
    assertThat(
            EstimateCorrection.of(Map.of("writers", Map.of("plan", List.of(0.4, -0.3, 0.2, -0.2))))
                .factor("writers", "plan"))
        .isEqualTo(1);
  }

  @Test
  void aFactorIsNeverNegative() {
    assertThat(
            EstimateCorrection.of(Map.of("writers", Map.of("plan", Collections.nCopies(50, -1.5))))
                .factor("writers", "plan"))
        .isZero();
  }
}

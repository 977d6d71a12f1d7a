package dev.abacus.optimizer.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BinomialBoundTest {

  @Test
  void theBoundIsThatOfClopperAndPearson() {
    // Known values: all right gives risk^(1/n); the other is tabulated.
    assertThat(BinomialBound.lowerBound(29, 29)).isCloseTo(Math.pow(0.05, 1 / 29.0), within(1e-9));
    assertThat(BinomialBound.lowerBound(9, 10)).isCloseTo(0.6058, within(1e-3));
    assertThat(BinomialBound.lowerBound(0, 10)).isZero();
    assertThat(BinomialBound.lowerBound(0, 0)).isZero();
  }

  @Test
  void aTargetIsShownWhereTheBoundReachesIt() {
    for (int trials = 1; trials < 200; trials += 7) {
      for (int right = 0; right <= trials; right++) {
        assertThat(BinomialBound.reaches(right, trials, 0.9))
            .as("%d of %d", right, trials)
            .isEqualTo(BinomialBound.lowerBound(right, trials) >= 0.9);
      }
    }
  }

  @Test
  void theFewestTrialsThatCanShowATarget() {
    assertThat(BinomialBound.minimumTrials(0.9)).isEqualTo(29);
    assertThat(BinomialBound.minimumTrials(0.95)).isEqualTo(59);
    assertThat(BinomialBound.reaches(29, 29, 0.9)).isTrue();
    assertThat(BinomialBound.reaches(28, 28, 0.9)).isFalse();
  }
}

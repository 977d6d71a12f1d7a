package dev.abacus.optimizer.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ProportionsTest {

  @Test
  void theBoundIsThatOfClopperAndPearson() {
    // Known values: all right gives risk^(1/n); the other is tabulated.
    assertThat(Proportions.lowerBound(29, 29)).isCloseTo(Math.pow(0.05, 1 / 29.0), within(1e-9));
    assertThat(Proportions.lowerBound(9, 10)).isCloseTo(0.6058, within(1e-3));
    assertThat(Proportions.lowerBound(0, 10)).isZero();
    assertThat(Proportions.lowerBound(0, 0)).isZero();
  }

  @Test
  void aTargetIsShownWhereTheBoundReachesIt() {
    for (int trials = 1; trials < 200; trials += 7) {
      for (int right = 0; right <= trials; right++) {
        assertThat(Proportions.shown(right, trials, 0.9))
            .as("%d of %d", right, trials)
            .isEqualTo(Proportions.lowerBound(right, trials) >= 0.9);
      }
    }
  }

  @Test
  void theFewestTrialsThatCanShowATarget() {
    assertThat(Proportions.fewest(0.9)).isEqualTo(29);
    assertThat(Proportions.fewest(0.95)).isEqualTo(59);
    assertThat(Proportions.shown(29, 29, 0.9)).isTrue();
    assertThat(Proportions.shown(28, 28, 0.9)).isFalse();
  }
}

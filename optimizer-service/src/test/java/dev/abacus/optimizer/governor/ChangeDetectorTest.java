package dev.abacus.optimizer.governor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.sequential.BettingTest;
import dev.abacus.optimizer.sequential.ChangeDetector;
import dev.abacus.schemas.plan.Range;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The drift of a known quality against the truth: scores are 0 or 1, in reports of any size. */
class ChangeDetectorTest {

  private static final double KNOWN = 0.85;

  private static final int RUNS = 40;

  @Test
  void aFallByATenthIsFoundWithin700OutputsInTheMedian() {
    long[] delays = new long[RUNS];
    for (int run = 0; run < RUNS; run++) {
      delays[run] = outputsToAlarm(new Random(run), 1000, 0.75, 100_000) - 1000;
    }
    Arrays.sort(delays);
    assertThat(delays[RUNS / 2]).isBetween(1L, 700L);
  }

  @Test
  void noneOfManyRunsHasAFalseAlarmIn100000Outputs() {
    int alarms = 0;
    for (int run = 0; run < RUNS; run++) {
      alarms += outputsToAlarm(new Random(run), 100_000, KNOWN, 100_000) < 100_000 ? 1 : 0;
    }
    assertThat(alarms).isZero();
  }

  /** Outputs until the alarm; {@code most} without one. */
  private static long outputsToAlarm(Random random, int unchanged, double then, int most) {
    BettingTest falls = DriftGuard.below(Range.of(KNOWN));
    ChangeDetector detector = ChangeDetector.START;
    int seen = 0;
    while (seen < most && !detector.isAlarm()) {
      int report = Math.min(1 + random.nextInt(20), most - seen);
      int right = 0;
      for (int i = 0; i < report; i++) {
        right += random.nextDouble() < (seen + i < unchanged ? KNOWN : then) ? 1 : 0;
      }
      detector = detector.with(falls, report, right, right);
      seen += report;
    }
    return detector.isAlarm() ? seen : most;
  }
}

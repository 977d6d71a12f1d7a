package dev.abacus.deploy.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StallTimerTest {

  private long now;

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void withoutAChangeTheDefaultTimeEnds() {
    StallTimer timer = new StallTimer(null, () -> now);
    pass(StallTimer.DEFAULT);
    assertThat(timer.isOver(false)).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(timer.isOver(false)).isTrue();
  }

  @Test
  void theTimeBeginsAnewWithEachChange() {
    StallTimer timer = new StallTimer(null, () -> now);
    pass(StallTimer.DEFAULT);
    timer.changed();
    pass(StallTimer.DEFAULT);
    assertThat(timer.isOver(false)).isFalse();
  }

  @Test
  void callsThatWaitForAModelMayWaitWithoutEnd() {
    StallTimer timer = new StallTimer(null, () -> now);
    pass(Duration.ofHours(3));
    assertThat(timer.isOver(true)).isFalse();
    pass(StallTimer.DEFAULT);
    assertThat(timer.isOver(false)).as("after the wait").isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStatedTimeEndsEveryWait(boolean waits) {
    StallTimer timer = new StallTimer(Duration.ofSeconds(20), () -> now);
    pass(Duration.ofSeconds(20));
    assertThat(timer.isOver(waits)).isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(timer.isOver(waits)).isTrue();
    assertThat(timer.idle()).isEqualTo(Duration.ofSeconds(21));
  }
}

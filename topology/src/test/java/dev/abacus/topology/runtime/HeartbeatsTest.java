package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {

  private static final int GENERATION = 3;

  private final long start = System.nanoTime();
  private int responses;
  private final Heartbeats heartbeats =
      new Heartbeats(() -> responses, TimeUnit.SECONDS.toNanos(6));

  @Test
  void aMemberWithHeartbeatsStaysConfirmed() {
    for (int second = 1; second <= 60; second++) {
      responses++;
      assertThat(isCurrent(second, GENERATION)).as("second %d", second).isTrue();
    }
  }

  @Test
  void aMemberWithoutHeartbeatsIsNotConfirmedAfterItsSession() {
    isCurrent(1, GENERATION);
    isCurrent(2, GENERATION);

    assertThat(isCurrent(5, GENERATION)).isTrue();
    assertThat(isCurrent(8, GENERATION)).isFalse();
  }

  @Test
  void aResponseThatWaitedWhileTheProcessWasFrozenConfirmsNothing() {
    for (int second = 1; second <= 10; second++) {
      responses++;
      isCurrent(second, GENERATION);
    }
    assertThat(isCurrent(30, GENERATION)).isFalse();
    responses++;
    assertThat(isCurrent(31, GENERATION)).isFalse();
  }

  @Test
  void aConsumerThatLostItsGenerationIsNoMemberUntilItHasAnother() {
    isCurrent(1, GENERATION);

    assertThat(isCurrent(2, -1)).isFalse();
    assertThat(isCurrent(3, GENERATION + 1)).isTrue();
  }

  private boolean isCurrent(int second, int generation) {
    long now = start + TimeUnit.SECONDS.toNanos(second);
    heartbeats.beforePoll(now);
    return heartbeats.afterPoll(generation).isCurrent(now);
  }
}

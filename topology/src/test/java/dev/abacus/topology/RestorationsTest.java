package dev.abacus.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RestorationsTest {

  private static final TopicPartition CHANGELOG = new TopicPartition("changelog", 3);

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-28T12:00:00Z"));
  private final Restorations restorations = new Restorations(now::get, Duration.ofSeconds(30));

  @Test
  void aRestorationIsAProblemOnceNothingHasBeenReadForLong() {
    restorations.onRestoreStart(CHANGELOG, "store", 0, 140);
    pass(20);
    restorations.onBatchRestored(CHANGELOG, "store", 138, 139);
    pass(20);
    assertThat(restorations.problem()).isNull();

    pass(11);
    assertThat(restorations.problem())
        .startsWith(
            "changelog-3 is restored to offset 139 of 140, nothing since 2026-11-28T12:00:20Z:");

    restorations.onBatchRestored(CHANGELOG, "store", 139, 1);
    assertThat(restorations.problem()).isNull();
  }

  @Test
  void whatIsRestoredOrGivenAwayIsNone() {
    restorations.onRestoreStart(CHANGELOG, "store", 0, 1);
    restorations.onRestoreEnd(CHANGELOG, "store", 1);
    restorations.onRestoreStart(new TopicPartition("changelog", 4), "store", 0, 1);
    restorations.onRestoreSuspended(new TopicPartition("changelog", 4), "store", 0);
    pass(60);
    assertThat(restorations.problem()).isNull();
  }

  private void pass(long seconds) {
    now.updateAndGet(before -> before.plusSeconds(seconds));
  }
}

package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DrawTest {

  private static final double SHARE = 0.3;

  private static boolean isMixedIn(byte @Nullable [] key, int offset) {
    return Draw.ofKey(key, "docs-0@" + offset) < SHARE;
  }

  private static byte[] key(int number) {
    return ("customer-" + number).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aShareOfTheKeysGetsTheOtherPlan() {
    assertThat(IntStream.range(0, 20_000).filter(i -> isMixedIn(key(i), i)).count() / 20_000.0)
        .isEqualTo(SHARE, within(0.01));
    assertThat(IntStream.range(0, 20_000).filter(i -> isMixedIn(null, i)).count() / 20_000.0)
        .as("documents without a key")
        .isEqualTo(SHARE, within(0.01));
  }

  @Test
  void allDocumentsOfAKeyGetTheSamePlan() {
    for (int i = 0; i < 100; i++) {
      assertThat(isMixedIn(key(i), 1)).isEqualTo(isMixedIn(key(i), 2));
    }
  }

  /** Else a canary would see the documents of one of both plans only. */
  @Test
  void theShareIsTheSameInEveryPartition() {
    for (int partition = 0; partition < 4; partition++) {
      int own = partition;
      int[] keys =
          IntStream.range(0, 40_000)
              .filter(i -> Utils.toPositive(Utils.murmur2(key(i))) % 4 == own)
              .toArray();
      assertThat(
              IntStream.of(keys).filter(i -> isMixedIn(key(i), i)).count() / (double) keys.length)
          .isEqualTo(SHARE, within(0.02));
    }
  }
}

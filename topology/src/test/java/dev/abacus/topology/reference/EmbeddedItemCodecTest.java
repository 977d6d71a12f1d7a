package dev.abacus.topology.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmbeddedItemCodecTest {

  private static final EmbeddedItem ITEM =
      new EmbeddedItem(
          "hash",
          "{\"label\": \"ünïcode\"}".getBytes(StandardCharsets.UTF_8),
          Map.of("one", new float[] {1, 0}, "two", new float[] {0.6f, -0.8f, 0}),
          Map.of("three", "no key"));

  @Test
  void anItemIsReadAsItWasWritten() {
    EmbeddedItem read = EmbeddedItemCodec.read(EmbeddedItemCodec.write(ITEM));
    assertThat(read.hash()).isEqualTo("hash");
    assertThat(read.json()).isEqualTo(ITEM.json());
    assertThat(read.vectors()).containsOnlyKeys("one", "two");
    assertThat(read.vectors().get("two")).containsExactly(0.6f, -0.8f, 0);
    assertThat(read.failures()).isEqualTo(Map.of("three", "no key"));
    assertThat(EmbeddedItemCodec.write(read)).isEqualTo(EmbeddedItemCodec.write(ITEM));
  }

  @Test
  void truncatedBytesAndOtherVersionsAreRejected() {
    byte[] bytes = EmbeddedItemCodec.write(ITEM);
    for (int length = 0; length < bytes.length; length++) {
      byte[] damaged = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> EmbeddedItemCodec.read(damaged))
          .isInstanceOf(IllegalArgumentException.class);
    }
    bytes[0]++;
    assertThatThrownBy(() -> EmbeddedItemCodec.read(bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("version");
  }

  @Test
  void anUnusableItemHasAReasonAndNoVectors() {
    EmbeddedItem read =
        EmbeddedItemCodec.read(EmbeddedItemCodec.write(EmbeddedItem.unusable("no")));
    assertThat(read.isUsable()).isFalse();
    assertThat(read.failures()).isEqualTo(Map.of(EmbeddedItem.ITEM, "no"));
  }
}

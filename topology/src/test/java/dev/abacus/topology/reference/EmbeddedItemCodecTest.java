package dev.abacus.topology.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
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
    EmbeddedItem read = EmbeddedItemCodec.LAYOUT.read(EmbeddedItemCodec.LAYOUT.toBytes(ITEM));
    assertThat(read.hash()).isEqualTo("hash");
    assertThat(read.json()).isEqualTo(ITEM.json());
    assertThat(read.vectors()).containsOnlyKeys("one", "two");
    assertThat(read.vectors().get("two")).containsExactly(0.6f, -0.8f, 0);
    assertThat(read.failures()).isEqualTo(Map.of("three", "no key"));
    assertThat(EmbeddedItemCodec.LAYOUT.toBytes(read))
        .isEqualTo(EmbeddedItemCodec.LAYOUT.toBytes(ITEM));
  }

  @Test
  void truncatedBytesAndOtherVersionsAreRejected() {
    byte[] bytes = EmbeddedItemCodec.LAYOUT.toBytes(ITEM);
    for (int length = 0; length < bytes.length; length++) {
      byte[] damaged = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> EmbeddedItemCodec.LAYOUT.read(damaged))
          .isInstanceOf(SerializationException.class);
    }
    bytes[0]++;
    assertThatThrownBy(() -> EmbeddedItemCodec.LAYOUT.read(bytes))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("version");
  }

  @Test
  void anUnusableItemHasAReasonAndNoVectors() {
    EmbeddedItem read =
        EmbeddedItemCodec.LAYOUT.read(
            EmbeddedItemCodec.LAYOUT.toBytes(EmbeddedItem.unusable("no")));
    assertThat(read.isUsable()).isFalse();
    assertThat(read.failures()).isEqualTo(Map.of(EmbeddedItem.ITEM, "no"));
  }
}

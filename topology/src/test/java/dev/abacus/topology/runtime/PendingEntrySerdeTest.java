package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PendingEntrySerdeTest {

  private static byte @Nullable [] bytes(RandomGenerator random) {
    if (random.nextInt(4) == 0) {
      return null;
    }
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<Header> headers(RandomGenerator random) {
    List<Header> headers = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      headers.add(new ImmutableHeader("héader" + random.nextInt(3), bytes(random)));
    }
    return headers;
  }

  private static PendingRecord record(RandomGenerator random) {
    return new PendingRecord(
        new InputRecord(
            bytes(random),
            bytes(random),
            random.nextLong(),
            headers(random),
            random.nextBoolean() ? "" : "tópic",
            random.nextInt(-1, 100),
            random.nextLong(-1, 1000)),
        random.nextLong(),
        Instant.ofEpochMilli(random.nextInt()));
  }

  private static PendingEntry.Rejected rejected(RandomGenerator random) {
    List<OutputRecord> outputs = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      outputs.add(
          new OutputRecord(
              "child", bytes(random), bytes(random), headers(random), random.nextInt(1000)));
    }
    return new PendingEntry.Rejected(bytes(random), new Completion(outputs));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatIsWrittenIsRead(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      PendingEntry entry = random.nextBoolean() ? record(random) : rejected(random);
      PendingEntry read = PendingEntrySerde.LAYOUT.read(PendingEntrySerde.LAYOUT.toBytes(entry));
      assertThat(read).usingRecursiveComparison().isEqualTo(entry);
    }
  }

  @Test
  void anotherVersionIsRefusedWithAReason() {
    byte[] entry = PendingEntrySerde.LAYOUT.toBytes(record(new Random(1)));
    entry[0] = 9;
    assertThatThrownBy(() -> PendingEntrySerde.LAYOUT.read(entry))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("version 9")
        .hasMessageContaining("version 1");
  }

  @Test
  void anEntryOfAnUnknownKindIsRefused() {
    byte[] entry = PendingEntrySerde.LAYOUT.toBytes(record(new Random(1)));
    entry[1] = 2;
    assertThatThrownBy(() -> PendingEntrySerde.LAYOUT.read(entry))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("kind 2");
  }

  @Test
  @SuppressWarnings("NullAway") // Kafka Streams deletes an entry by a null value
  void aDeletionStaysNull() {
    assertThat(PendingEntrySerde.LAYOUT.serde().serializer().serialize("topic", null)).isNull();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void cutOffLongerOrScrambledBytesAreRefusedOrReadButNeverAnythingElse(long seed) {
    Random random = new Random(seed);
    byte[] entry =
        PendingEntrySerde.LAYOUT.toBytes(random.nextBoolean() ? record(random) : rejected(random));
    for (int length = 0; length < entry.length; length++) {
      byte[] cut = Arrays.copyOf(entry, length);
      assertThatThrownBy(() -> PendingEntrySerde.LAYOUT.read(cut))
          .isInstanceOf(SerializationException.class);
    }
    assertThatThrownBy(() -> PendingEntrySerde.LAYOUT.read(Arrays.copyOf(entry, entry.length + 1)))
        .isInstanceOf(SerializationException.class);
    for (int i = 0; i < 500; i++) {
      byte[] scrambled = entry.clone();
      scrambled[1 + random.nextInt(entry.length - 1)] = (byte) random.nextInt();
      try {
        PendingEntrySerde.LAYOUT.read(scrambled);
      } catch (SerializationException refused) {
        assertThat(refused).hasMessageContaining("entry");
      }
    }
  }
}

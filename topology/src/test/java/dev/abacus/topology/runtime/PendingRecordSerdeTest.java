package dev.abacus.topology.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.topology.runtime.Pending.Admission;
import dev.abacus.topology.runtime.Pending.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PendingRecordSerdeTest {

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
      headers.add(new RecordHeader("héader" + random.nextInt(3), bytes(random)));
    }
    return headers;
  }

  private static Admission admission(RandomGenerator random) {
    return new Admission(
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

  private static Answer answer(RandomGenerator random) {
    List<OutputRecord> outputs = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      outputs.add(
          new OutputRecord(
              "child", bytes(random), bytes(random), headers(random), random.nextInt(1000)));
    }
    return new Answer(bytes(random), new Completion(outputs));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatIsWrittenIsRead(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      Pending pending = random.nextBoolean() ? admission(random) : answer(random);
      Pending read = PendingRecordSerde.decode(PendingRecordSerde.encode(pending));
      assertThat(read).usingRecursiveComparison().isEqualTo(pending);
    }
    byte[] state = "state".getBytes(UTF_8);
    assertThat(PendingRecordSerde.decodeCheckpoint(PendingRecordSerde.encodeCheckpoint(state)))
        .isEqualTo(state);
  }

  @Test
  void anotherVersionIsRefusedWithAReason() {
    byte[] entry = PendingRecordSerde.encode(admission(new Random(1)));
    entry[0] = 9;
    assertThatThrownBy(() -> PendingRecordSerde.decode(entry))
        .isInstanceOf(UnreadableEntryException.class)
        .hasMessageContaining("version 9")
        .hasMessageContaining("version 1");
    assertThatThrownBy(() -> PendingRecordSerde.decodeCheckpoint(entry))
        .isInstanceOf(UnreadableEntryException.class);
  }

  @Test
  void anEntryIsNotACheckpointAndTheOtherWayRound() {
    byte[] entry = PendingRecordSerde.encode(admission(new Random(1)));
    byte[] checkpoint = PendingRecordSerde.encodeCheckpoint(new byte[] {1});
    assertThatThrownBy(() -> PendingRecordSerde.decodeCheckpoint(entry))
        .isInstanceOf(UnreadableEntryException.class);
    assertThatThrownBy(() -> PendingRecordSerde.decode(checkpoint))
        .isInstanceOf(UnreadableEntryException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void cutOffLongerOrScrambledBytesAreRefusedOrReadButNeverAnythingElse(long seed) {
    Random random = new Random(seed);
    byte[] entry =
        PendingRecordSerde.encode(random.nextBoolean() ? admission(random) : answer(random));
    for (int length = 0; length < entry.length; length++) {
      byte[] cut = Arrays.copyOf(entry, length);
      assertThatThrownBy(() -> PendingRecordSerde.decode(cut))
          .isInstanceOf(UnreadableEntryException.class);
    }
    assertThatThrownBy(() -> PendingRecordSerde.decode(Arrays.copyOf(entry, entry.length + 1)))
        .isInstanceOf(UnreadableEntryException.class);
    for (int i = 0; i < 500; i++) {
      byte[] scrambled = entry.clone();
      scrambled[1 + random.nextInt(entry.length - 1)] = (byte) random.nextInt();
      try {
        PendingRecordSerde.decode(scrambled);
      } catch (UnreadableEntryException refused) {
        assertThat(refused).hasMessageContaining("entry");
      }
    }
  }
}

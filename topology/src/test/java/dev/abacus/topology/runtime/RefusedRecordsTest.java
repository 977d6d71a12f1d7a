package dev.abacus.topology.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RefusedRecordsTest {

  private static final long NOW = 1_000;

  private long nanos;
  private final RefusedRecords refused = new RefusedRecords(() -> nanos);

  @SuppressWarnings("NullAway") // the handler does not use its context
  private void refuse(String topic, @Nullable String key, Exception cause) {
    RefusedRecords.Handler handler = new RefusedRecords.Handler();
    handler.configure(Map.of(RefusedRecords.PROPERTY, refused));
    handler.handleError(
        null, new ProducerRecord<>(topic, key == null ? null : bytes(key), bytes("value")), cause);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void aTimestampIsNeverInTheFuture() {
    assertThat(refused.timestamp("t", 5_000, NOW)).isEqualTo(NOW);
    assertThat(refused.timestamp("t", 10, NOW)).isEqualTo(10);
  }

  @Test
  void aTopicThatRefusedATimestampGetsTheCurrentTime() {
    refuse("t", "k", new InvalidTimestampException("too old"));
    refuse("u", "k", new InvalidRecordException("Timestamp 10 of message 3 is out of range"));
    assertThat(refused.timestamp("t", 10, NOW)).isEqualTo(NOW);
    assertThat(refused.timestamp("u", 10, NOW)).isEqualTo(NOW);
    assertThat(refused.timestamp("v", 10, NOW)).isEqualTo(10);
    assertThat(refused.find("t", bytes("k"), bytes("value"))).isNull();
  }

  @Test
  void aRecordThatWasRefusedForItsContentIsKnownByItsContent() {
    refuse("t", null, new InvalidRecordException("Compacted topic needs a key"));
    assertThat(refusal("t").reason()).contains("topic t").contains("needs a key");
    assertThat(refused.find("other", null, bytes("value"))).isNull();
    assertThat(refused.find("t", null, bytes("another"))).isNull();
    assertThat(refused.timestamp("t", 10, NOW)).isEqualTo(10);
  }

  @Test
  void aRefusalIsForgottenWhenItsSecondAttemptHasCommitted() {
    refuse("t", null, new InvalidRecordException("too large"));
    RefusedRecords.Refusal first = refusal("t");
    first.forget();
    assertThat(refused.find("t", null, bytes("value"))).isNull();
    refuse("t", null, new InvalidRecordException("too large again"));
    first.forget();
    assertThat(refusal("t").reason()).contains("again");
  }

  @Test
  void anEqualRecordOfAnotherTopicHasARefusalOfItsOwn() {
    refuse("t", null, new InvalidRecordException("too large"));
    refuse("u", null, new InvalidRecordException("no key"));
    assertThat(refusal("t").reason()).contains("topic t").contains("too large");
    refusal("t").forget();
    assertThat(refused.find("t", null, bytes("value"))).isNull();
    assertThat(refusal("u").reason()).contains("topic u").contains("no key");
    assertThat(refused.find("v", null, bytes("value"))).isNull();
    assertThat(refused.find(null, null, bytes("value"))).isNull();
  }

  @Test
  void aRefusalWithoutASecondAttemptIsForgotten() {
    refuse("t", null, new InvalidRecordException("too large"));
    nanos += Duration.ofMinutes(9).toNanos();
    assertThat(refused.find("t", null, bytes("value"))).isNotNull();
    nanos += Duration.ofMinutes(2).toNanos();
    assertThat(refused.find("t", null, bytes("value"))).isNull();
  }

  private RefusedRecords.Refusal refusal(String topic) {
    return Objects.requireNonNull(refused.find(topic, null, bytes("value")));
  }

  @Test
  void theOtherRecordsOfARefusedTransactionAreNotRefused() {
    String ofBatch = "One or more records have been rejected due to 9 record errors in total";
    refuse("t", "k", new InvalidRecordException(ofBatch));
    refuse("t", "k", new InvalidTimestampException(ofBatch));
    refuse("t", "k", new KafkaException("part of a batch with an invalid record"));
    assertThat(refused.find("t", bytes("k"), bytes("value"))).isNull();
    assertThat(refused.timestamp("t", 10, NOW)).isEqualTo(10);
  }

  @Test
  void anErrorOfTheConnectionIsNoRefusal() {
    refuse("t", "k", new TimeoutException("no answer"));
    assertThat(refused.find("t", bytes("k"), bytes("value"))).isNull();
    assertThat(refused.timestamp("t", 10, NOW)).isEqualTo(10);
  }

  @Test
  void aSourceRecordWithoutATimestampGetsTheTimeOfItsPartition() {
    SourceTimestamps timestamps = new SourceTimestamps();
    assertThat(timestamps.extract(source(-1), 70)).isEqualTo(70);
    assertThat(timestamps.extract(source(-1), -1)).isPositive();
    assertThat(timestamps.extract(source(60), 70)).isEqualTo(60);
  }

  private static ConsumerRecord<Object, Object> source(long timestamp) {
    return new ConsumerRecord<>(
        "in",
        0,
        0,
        timestamp,
        TimestampType.CREATE_TIME,
        1,
        1,
        "key",
        "value",
        new RecordHeaders(),
        Optional.empty());
  }
}

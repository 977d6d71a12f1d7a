package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class RecordTextTest {

  private static String origin(Map<String, String> headers) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("p.dlq", 0, 7, new byte[0], new byte[0]);
    headers.forEach(
        (name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
    return RecordText.origin(record);
  }

  /** The program reads the results of another one, which have a source of their own. */
  @Test
  void theOriginOfADeadLetterIsTheRecordThatItsProgramRead() {
    Map<String, String> headers = new HashMap<>();
    assertThat(origin(headers)).isEmpty();

    headers.put(Headers.SOURCE, "messages-0@93");
    assertThat(origin(headers)).isEqualTo("messages-0@93");

    headers.put(Headers.EXCEPTION_TOPIC, "messages.classified");
    headers.put(Headers.EXCEPTION_PARTITION, "3");
    headers.put(Headers.EXCEPTION_OFFSET, "12");
    assertThat(origin(headers)).isEqualTo("messages.classified-3@12");
  }

  @Test
  void headersOfAnotherProducerAreNoNumbers() {
    ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("out", 0, 7, null, null);
    record.headers().add(Headers.PLAN_EPOCH, "first".getBytes(StandardCharsets.UTF_8));
    record.headers().add(Headers.COST_USD, "NaN".getBytes(StandardCharsets.UTF_8));
    assertThat(RecordText.epoch(record)).isNull();
    assertThat(RecordText.costUsd(record)).isZero();
    record.headers().add(Headers.PLAN_EPOCH, "3".getBytes(StandardCharsets.UTF_8));
    assertThat(RecordText.epoch(record)).isEqualTo(3);
  }
}

package dev.abacus.topology.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.runtime.ImmutableHeader;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

class DeadLetterTest {

  private static final byte[] KEY = "k".getBytes(UTF_8);
  private static final byte[] VALUE = "v".getBytes(UTF_8);

  private static InputRecord input(long timestamp) {
    List<Header> headers = List.of(ImmutableHeader.of("mine", "kept"));
    return new InputRecord(KEY, VALUE, timestamp, headers, "topic", 3, 17);
  }

  private static Map<String, String> headers(OutputRecord record) {
    return record.headers().stream()
        .collect(Collectors.toMap(Header::key, header -> new String(header.value(), UTF_8)));
  }

  @Test
  void keepsTheRecordAndSaysWhyAndWhere() {
    OutputRecord letter =
        DeadLetter.of(input(5), "LateDocument", "too late")
            .with(Headers.OPERATOR, "sums")
            .with(Headers.PROGRAM, null)
            .to("dead-letters");

    assertThat(letter.child()).isEqualTo("dead-letters");
    assertThat(letter.key()).isEqualTo(KEY);
    assertThat(letter.value()).isEqualTo(VALUE);
    assertThat(letter.timestamp()).isEqualTo(5);
    assertThat(headers(letter))
        .containsOnly(
            Map.entry("mine", "kept"),
            Map.entry("__streams.errors.exception", "LateDocument"),
            Map.entry("__streams.errors.message", "too late"),
            Map.entry("__streams.errors.topic", "topic"),
            Map.entry("__streams.errors.partition", "3"),
            Map.entry("__streams.errors.offset", "17"),
            Map.entry(Headers.OPERATOR, "sums"));
  }

  @Test
  void aHeaderIsThatOfTheProgramThatFailed() {
    List<Header> headers = List.of(ImmutableHeader.of(Headers.PROGRAM, "before"));
    InputRecord result = new InputRecord(KEY, VALUE, 5, headers, "topic", 3, 17);

    OutputRecord letter =
        DeadLetter.of(result, "LateDocument", "too late")
            .with(Headers.PROGRAM, "after")
            .to("dead-letters");

    assertThat(headers(letter)).containsEntry(Headers.PROGRAM, "after");
  }

  @Test
  void keepsTheBeginningOfTheStackTraceOfAnException() {
    IllegalStateException cause = new IllegalStateException("x".repeat(10_000));

    Map<String, String> headers = headers(DeadLetter.of(input(5), cause).to("dead-letters"));

    assertThat(headers.get(Headers.EXCEPTION)).isEqualTo("java.lang.IllegalStateException");
    assertThat(headers.get(Headers.EXCEPTION_STACKTRACE))
        .hasSize(4096)
        .startsWith("java.lang.IllegalStateException: xxx");
  }

  @Test
  void aNegativeTimestampBecomesZero() {
    assertThat(DeadLetter.of(input(-1), "Any", "").to("dead-letters").timestamp()).isZero();
  }

  @Test
  void theOriginOfAnEnvelopeIsItsSourceRecordIfItIsKnown() {
    Provenance provenance = new Provenance(1, Usage.NONE, Instant.EPOCH, "topic", 3, 17);
    Envelope carried =
        new Envelope("new".getBytes(UTF_8), Document.empty(), provenance, KEY, VALUE);
    Envelope left = new Envelope(KEY, Document.empty(), provenance, null, null);

    assertThat(carried.origin(List.of(), 5))
        .extracting(InputRecord::key, InputRecord::value, InputRecord::offset)
        .containsExactly(KEY, VALUE, 17L);
    assertThat(left.origin(List.of(), 5))
        .extracting(InputRecord::key, InputRecord::value, InputRecord::offset)
        .containsExactly(KEY, "{}".getBytes(UTF_8), 17L);
  }
}

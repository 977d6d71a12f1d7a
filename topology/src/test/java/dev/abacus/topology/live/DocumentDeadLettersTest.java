package dev.abacus.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.model.ModelFailure;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Records that end in the dead letter topic. */
class DocumentDeadLettersTest extends DocumentTopologyFixture {

  @Test
  void whatIsNoDocumentIsADeadLetterAsItCame() throws Exception {
    start("json", null);
    activate(1);
    send("k", "{\"id\":");

    TestRecord<String, byte[]> letter = deadLetters().readRecord();

    assertThat(text(letter.value())).isEqualTo("{\"id\":");
    assertThat(header(letter, Headers.EXCEPTION)).isEqualTo("InvalidDocument");
    assertThat(header(letter, Headers.EXCEPTION_MESSAGE)).contains("not valid JSON");
    assertThat(header(letter, Headers.EXCEPTION_TOPIC)).isEqualTo("in");
    assertThat(header(letter, Headers.EXCEPTION_OFFSET)).isEqualTo("0");
  }

  @Test
  void aModelFailureIsADeadLetterThatNamesTheOperator() throws Exception {
    start("json", null);
    activate(1);
    failure = new ModelFailure.AuthenticationFailed("no such key");
    send("k", "{\"id\":\"d\",\"text\":\"hi\"}");

    TestRecord<String, byte[]> letter = deadLetters().readRecord();

    assertThat(header(letter, Headers.OPERATOR)).isEqualTo("classify");
    assertThat(header(letter, Headers.ATTEMPTS)).isEqualTo("1");
    assertThat(header(letter, Headers.EXCEPTION_MESSAGE)).contains("no such key");
    assertThat(results().isEmpty()).isTrue();
  }

  @Test
  void anOversizedDocumentIsADeadLetter() throws Exception {
    start("json", null);
    activate(1);
    send("k", "{\"text\":\"" + "x".repeat(30_000) + "\"}");

    assertThat(header(deadLetters().readRecord(), Headers.EXCEPTION))
        .isEqualTo("OversizedDocument");
  }

  @Test
  void aDocumentLargerThanTheDeadLetterTopicAllowsIsShortened() throws Exception {
    start("json", null);
    activate(1);
    String document = "{\"text\":\"" + "x".repeat(2_000_000) + "\"}";
    send("k", document);

    TestRecord<String, byte[]> letter = deadLetters().readRecord();

    assertThat(letter.value().length).isLessThan(20_000);
    assertThat(letter.key()).isEqualTo("k");
    assertThat(header(letter, Headers.EXCEPTION)).isEqualTo("OversizedDocument");
    assertThat(header(letter, Headers.ORIGINAL_SIZE)).isEqualTo("" + document.length());
    assertThat(header(letter, Headers.ORIGINAL_SHA256)).hasSize(64);
    assertThat(header(letter, Headers.EXCEPTION_OFFSET)).isEqualTo("0");
  }

  @Test
  void avroOfAnUnknownSchemaIsADeadLetter() throws Exception {
    try (AvroValues avro =
        Objects.requireNonNull(
            AvroValues.connect(Map.of("schema.registry.url", "mock://unknown-schema")))) {
      start("avro", avro);
      activate(1);
      send("k", new byte[] {0, 0, 0, 0, 99, 1});

      assertThat(header(deadLetters().readRecord(), Headers.EXCEPTION_MESSAGE)).contains("99");
    }
  }
}

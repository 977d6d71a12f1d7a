package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.secret.Redactor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactingInterceptorTest {

  private static final String KEY = "sk-planted-key";

  private final RedactingInterceptor interceptor = new RedactingInterceptor();

  RedactingInterceptorTest() {
    interceptor.configure(RedactingInterceptor.properties(Redactor.of(List.of(KEY)), Map.of()));
  }

  private ProducerRecord<byte[], byte[]> sent(String topic) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, 1, new byte[] {1}, utf8("{\"error\": \"" + KEY + "\"}"));
    record.headers().add("reason", utf8("bad key " + KEY));
    return interceptor.onSend(record);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abacus.control",
        "abacus.status",
        "abacus.rejections",
        "abacus.learnt",
        "abacus.answers",
        "p.samples",
        "p.observations",
        "p.receipts"
      })
  void theProductsOwnRecordsContainNoSecret(String topic) {
    ProducerRecord<byte[], byte[]> record = sent(topic);

    assertThat(record.value()).asString().isEqualTo("{\"error\": \"[hidden]\"}");
    assertThat(record.headers().lastHeader("reason").value())
        .asString()
        .isEqualTo("bad key [hidden]");
    assertThat(record.partition()).isEqualTo(1);
  }

  @Test
  void documentsDoNotChangeButTheirHeadersDo() {
    ProducerRecord<byte[], byte[]> record = sent("p.results");

    assertThat(record.value()).asString().contains(KEY);
    assertThat(record.headers().lastHeader("reason").value())
        .asString()
        .isEqualTo("bad key [hidden]");
  }
}

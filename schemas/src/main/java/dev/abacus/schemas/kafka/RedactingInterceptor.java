package dev.abacus.schemas.kafka;

import dev.abacus.schemas.secret.Redactor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Removes the secrets of the configuration from records that a producer sends: from the headers of
 * all, and from the values that the product writes itself (control records, rejections, status,
 * learnt statistics, samples, observations, receipts, stored answers). Values of other topics are
 * documents and do not change.
 */
public final class RedactingInterceptor implements ProducerInterceptor<byte[], byte[]> {

  /** The property that holds the {@link Redactor}. */
  public static final String PROPERTY = "abacus.redactor";

  private static final String INTERCEPTORS = "interceptor.classes";
  private static final List<String> OWN_ENDINGS = endings();

  private Redactor redactor = Redactor.NONE;
  private List<String> ownTopics = ownTopics(KafkaNames.UNPREFIXED);

  private static List<String> endings() {
    KafkaNames names = KafkaNames.UNPREFIXED;
    return List.of(
        names.samples(""),
        names.observations(""),
        names.receipts(""),
        names.replayed(""),
        names.journeys(""),
        names.learning(""));
  }

  private static List<String> ownTopics(KafkaNames names) {
    return List.of(
        names.control(),
        names.status(),
        names.rejections(),
        names.learnt(),
        names.versions(),
        names.answers());
  }

  /**
   * The properties that add the interceptor to a producer.
   *
   * @param user properties of the user, who may have interceptors
   */
  public static Map<String, Object> properties(Redactor redactor, Map<String, ?> user) {
    Object others = user.get(INTERCEPTORS);
    String name = RedactingInterceptor.class.getName();
    return Map.of(INTERCEPTORS, others == null ? name : others + "," + name, PROPERTY, redactor);
  }

  @Override
  public void configure(Map<String, ?> properties) {
    if (properties.get(PROPERTY) instanceof Redactor given) {
      redactor = given;
    }
    ownTopics = ownTopics(KafkaNames.of(properties));
  }

  @Override
  public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
    byte @Nullable [] value = record.value();
    byte @Nullable [] redacted = value;
    if (value != null && isOwn(record.topic())) {
      redacted = redactor.redact(value);
    }
    if (Arrays.equals(redacted, value) && isClean(record.headers())) {
      return record;
    }
    ProducerRecord<byte[], byte[]> clean =
        new ProducerRecord<>(
            record.topic(), record.partition(), record.timestamp(), record.key(), redacted);
    for (Header header : record.headers()) {
      clean.headers().add(header.key(), redact(header));
    }
    return clean;
  }

  private boolean isOwn(String topic) {
    return ownTopics.contains(topic) || OWN_ENDINGS.stream().anyMatch(topic::endsWith);
  }

  private boolean isClean(Headers headers) {
    for (Header header : headers) {
      if (!Arrays.equals(redact(header), header.value())) {
        return false;
      }
    }
    return true;
  }

  private byte @Nullable [] redact(Header header) {
    byte @Nullable [] value = header.value();
    return value == null ? null : redactor.redact(value);
  }

  @Override
  public void onAcknowledgement(@Nullable RecordMetadata metadata, @Nullable Exception failure) {}

  @Override
  public void close() {}
}

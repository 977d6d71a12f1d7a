package dev.abacus.schemas.kafka;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/** Waits for what Kafka's clients do. */
public final class KafkaFutures {

  private KafkaFutures() {}

  /**
   * The result of a call.
   *
   * @param future not null; the maps of Kafka's admin client have one for each key that was asked
   *     for
   * @throws KafkaException why it failed
   */
  public static <T> T get(@Nullable Future<T> future) throws InterruptedException {
    try {
      return Objects.requireNonNull(future).get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
    }
  }

  /**
   * The result of a call about one topic; if it is not allowed, the failure names the topic, which
   * Kafka's does not.
   *
   * @throws KafkaException why it failed
   */
  public static <T> T get(String topic, @Nullable Future<T> future) throws InterruptedException {
    try {
      return get(future);
    } catch (TopicAuthorizationException e) {
      throw new TopicAuthorizationException(Set.of(topic));
    }
  }
}

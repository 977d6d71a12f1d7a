package dev.abacus.schemas.kafka;

import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.common.KafkaException;
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
}

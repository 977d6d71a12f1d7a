package dev.abacus.topology.runtime;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Metric;

/**
 * Dates the heartbeats of a consumer by the number of their responses, which its metrics tell. Only
 * its thread uses it.
 *
 * <p>A response may have waited in the socket while the process was frozen, so it confirms only the
 * time at which its request was sent. A request is sent after the response to the one before.
 */
final class Heartbeats {

  private final DoubleSupplier responses;
  private final long sessionNanos;

  private double seen;
  private int generation = -1;
  private long polledAt = System.nanoTime();
  private long polledBefore = polledAt;

  /** A time before the latest response that was seen. */
  private long respondedAfter = polledAt;

  /** A time before the request of that response. */
  private long confirmedAt = polledAt;

  Heartbeats(DoubleSupplier responses, long sessionNanos) {
    this.responses = responses;
    this.sessionNanos = sessionNanos;
  }

  static Heartbeats of(KafkaConsumer<?, ?> consumer, Map<String, Object> config) {
    String timeout = ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG;
    Object millis =
        config.getOrDefault(timeout, ConsumerConfig.configDef().defaultValues().get(timeout));
    Metric total =
        consumer.metrics().values().stream()
            .filter(metric -> metric.metricName().name().equals("heartbeat-total"))
            .findFirst()
            .orElseThrow();
    return new Heartbeats(
        () -> ((Number) total.metricValue()).doubleValue(),
        TimeUnit.MILLISECONDS.toNanos(Long.parseLong(String.valueOf(millis))));
  }

  void beforePoll(long now) {
    polledBefore = polledAt;
    polledAt = now;
    double total = responses.getAsDouble();
    if (total > seen) {
      seen = total;
      confirmedAt = respondedAfter;
      respondedAfter = polledBefore;
    }
  }

  /**
   * The membership after the poll, in which the consumer handles refused heartbeats.
   *
   * @param now the generation of the group, negative for none
   */
  Membership afterPoll(int now) {
    if (now != generation) {
      generation = now;
      confirmedAt = polledBefore;
    }
    return new Membership(now >= 0, confirmedAt, sessionNanos);
  }
}

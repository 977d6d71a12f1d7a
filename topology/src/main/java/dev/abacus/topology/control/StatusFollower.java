package dev.abacus.topology.control;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelDemand;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the status topic and reports which calls the other instances of the data plane demand. An
 * instance without a status for some time has no demand.
 */
public final class StatusFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatusFollower.class);
  private static final Duration POLL = Duration.ofMillis(500);

  /** Hears of the demands of the other instances. Called on the follower's thread. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called at least twice a second.
     *
     * @param byInstance demands of each other live instance
     */
    void demands(Map<String, List<ModelDemand>> byInstance);
  }

  /** The demands of an instance and the time of its last status. */
  private record Seen(List<ModelDemand> demands, Instant at) {}

  private final Consumer<byte[], byte[]> consumer;
  private final String self;
  private final Duration stale;
  private final InstantSource clock;
  private final Listener listener;
  private final Map<String, Seen> instances = new HashMap<>();
  private final Thread thread;
  private boolean caughtUp;
  private volatile boolean closed;

  private StatusFollower(
      Consumer<byte[], byte[]> consumer,
      String self,
      Duration stale,
      InstantSource clock,
      Listener listener) {
    this.consumer = consumer;
    this.self = self;
    this.stale = stale;
    this.clock = clock;
    this.listener = listener;
    this.thread = Thread.ofPlatform().name("abacus-status-follower").unstarted(this::follow);
  }

  /**
   * Starts to read the topic.
   *
   * @param consumer has no group; the follower closes it
   * @param self name of this instance
   * @param stale age of a status from which its instance has no demand
   */
  public static StatusFollower start(
      Consumer<byte[], byte[]> consumer,
      String self,
      Duration stale,
      InstantSource clock,
      Listener listener) {
    StatusFollower follower = new StatusFollower(consumer, self, stale, clock, listener);
    follower.thread.start();
    return follower;
  }

  private void follow() {
    try (consumer) {
      boolean assigned = false;
      while (!closed) {
        try {
          assigned = assigned || assign();
          consumer.poll(POLL).forEach(this::apply);
          caughtUp = caughtUp || isAtEnd();
          report();
        } catch (WakeupException e) {
          throw e;
        } catch (KafkaException e) {
          LOG.debug("Cannot read the status topic, will retry: {}", e.toString());
        }
      }
    } catch (WakeupException e) {
      // Closed.
    }
  }

  private boolean assign() {
    List<TopicPartition> partitions =
        consumer.partitionsFor(Topics.STATUS).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return true;
  }

  private boolean isAtEnd() {
    return consumer.endOffsets(consumer.assignment()).entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private void apply(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null || record.value() == null) {
      return;
    }
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (key.endsWith("/optimizer") || key.endsWith("/governor") || key.endsWith("/" + self)) {
      return;
    }
    try {
      InstanceStatus status = Json.read(record.value(), InstanceStatus.class);
      // The clocks of hosts differ: only statuses from before the start have their own time.
      Instant at = caughtUp ? clock.instant() : status.at();
      Seen known = instances.get(status.instance());
      if (known == null || !known.at().isAfter(at)) {
        instances.put(status.instance(), new Seen(status.demands(), at));
      }
    } catch (MalformedRecordException e) {
      LOG.debug("Ignores the status record '{}': {}", key, e.toString());
    }
  }

  private void report() {
    Instant oldest = clock.instant().minus(stale);
    instances.values().removeIf(seen -> seen.at().isBefore(oldest));
    Map<String, List<ModelDemand>> live = new HashMap<>();
    instances.forEach((instance, seen) -> live.put(instance, seen.demands()));
    listener.demands(live);
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.abacus.topology.control;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelDemand;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Follows the status topic and reports which calls the other instances of the data plane demand. An
 * instance without a status for some time has no demand.
 *
 * <p>A second instance of the same name overwrites the status of this one, so its counters cannot
 * be trusted. Both say so as long as the other one reports; their demands count as those of two.
 */
public final class StatusFollower implements AutoCloseable {

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

  /**
   * What the follower reads.
   *
   * @param consumer has no group; the follower closes it
   * @param topic of status records
   */
  public record Feed(Consumer<byte[], byte[]> consumer, String topic) {}

  /**
   * This instance.
   *
   * @param process another one in each life of the instance
   */
  public record Self(String instance, String process) {}

  /** The demands of an instance and the time of its last status. */
  private record Seen(List<ModelDemand> demands, Instant at) {}

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final Self self;
  private final Duration stale;
  private final InstantSource clock;
  private final Listener listener;
  private final Map<String, Seen> instances = new HashMap<>();
  private final Supervisor.SupervisedThread thread;
  private final ThreadHealth identity;
  private @Nullable Instant namesakeAt;

  /** What the topic had when this began to read it. */
  private @Nullable TopicRange past;

  private boolean caughtUp;

  /**
   * Starts to read the topic.
   *
   * @param stale age of a status from which its instance has no demand
   */
  public StatusFollower(
      Feed feed,
      Self self,
      Duration stale,
      InstantSource clock,
      Supervisor supervisor,
      Listener listener) {
    this.consumer = feed.consumer();
    this.topic = feed.topic();
    this.self = self;
    this.stale = stale;
    this.clock = clock;
    this.listener = listener;
    this.identity = supervisor.watch("instance id");
    this.thread =
        supervisor.start(
            "instances", this::step, new Supervisor.Resource(consumer::wakeup, consumer::close));
  }

  private Duration step(ThreadHealth health) {
    TopicRange before = past;
    if (before == null) {
      before = TopicRange.all(consumer, topic);
      consumer.seekToBeginning(before.from().keySet());
      past = before;
    }
    consumer.poll(POLL).forEach(record -> apply(record, health));
    caughtUp = caughtUp || before.isRead(consumer);
    report();
    return Duration.ZERO;
  }

  private void apply(ConsumerRecord<byte[], byte[]> record, ThreadHealth health) {
    if (record.key() == null || record.value() == null) {
      return;
    }
    String key = RecordText.key(record);
    String from = RecordText.header(record, Headers.PROCESS);
    boolean namesake = key.endsWith("/" + self.instance());
    if (key.endsWith("/optimizer")
        || key.endsWith("/governor")
        || from.equals(self.process())
        || (!caughtUp && (isStale(record) || namesake))) { // an earlier life of this instance
      return;
    }
    try {
      InstanceStatus status = StatusReports.read(record);
      // The clocks of hosts differ: only statuses from before the start have their own time.
      Instant now = clock.instant();
      Instant at = caughtUp || status.at().isAfter(now) ? now : status.at();
      String instance = namesake ? status.instance() + " " + from : status.instance();
      Seen known = instances.get(instance);
      if (known == null || !known.at().isAfter(at)) {
        instances.put(instance, new Seen(status.demands(), at));
      }
      if (namesake) {
        namesake(at);
      }
    } catch (MalformedRecordException | RuntimeException | StackOverflowError e) {
      health.skipped(RecordPosition.of(record).toString(), e);
    }
  }

  /** Of what was written before the start, most is. */
  private boolean isStale(ConsumerRecord<byte[], byte[]> record) {
    Instant at = StatusReports.brokerTime(record);
    return at != null && at.isBefore(clock.instant().minus(stale));
  }

  private void namesake(Instant at) {
    if (namesakeAt == null) {
      var _ =
          identity.failed(
              new IllegalStateException(
                  ("another worker is called '%s' too, and the counters of programs are wrong:"
                          + " give each worker an abacus.instance.id of its own")
                      .formatted(self.instance())));
    }
    namesakeAt = at;
  }

  private void report() {
    Instant oldest = clock.instant().minus(stale);
    if (namesakeAt != null && namesakeAt.isBefore(oldest)) {
      namesakeAt = null;
      identity.succeeded();
    }
    instances.values().removeIf(seen -> seen.at().isBefore(oldest));
    Map<String, List<ModelDemand>> live = new HashMap<>();
    instances.forEach((instance, seen) -> live.put(instance, seen.demands()));
    listener.demands(live);
  }

  @Override
  public void close() {
    thread.close();
  }
}

package dev.abacus.topology;

import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.supervision.Supervisor;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets idle applications of an instance sleep, and wakes them. One consumer without a group reads
 * the sources of all that sleep, from their ends at the time of the decision: the first record that
 * is not in these ends wakes an application, so none can be overlooked between decision and sleep.
 * An application also wakes
 *
 * <ul>
 *   <li>if a source got another number of partitions, or was deleted or truncated;
 *   <li>if it left its tasks to other members, and the group has no members any more ({@link
 *       SleepRule});
 *   <li>after {@link #LONGEST}, because Kafka forgets the offsets of a group that has no members
 *       for {@code offsets.retention.minutes} (7 days).
 * </ul>
 *
 * <p>Applications are added and removed by any thread; all else happens on one thread.
 */
final class SleepWatch implements AutoCloseable {

  /** Longest sleep. */
  static final Duration LONGEST = Duration.ofDays(1);

  private static final Logger LOG = LoggerFactory.getLogger(SleepWatch.class);

  /** Longest wait for a record; a broker waits as long. */
  static final Duration POLL = Duration.ofSeconds(1);

  /** Interval at which the groups of idle and the partitions of sleeping applications are read. */
  static final Duration LOOK = Duration.ofSeconds(5);

  /**
   * An application that runs.
   *
   * @param rule what followed from the last look at its group
   * @param nextLook by the clock of the watch
   */
  private record Awake(SleepRule rule, long nextLook) {}

  /**
   * An application that sleeps, or is about to.
   *
   * @param ends of its sources
   * @param rule why it sleeps
   * @param since by the clock of the watch
   * @param stopped done when it has left its group
   */
  private record Sleep(
      Map<TopicPartition, Long> ends, SleepRule rule, long since, Future<?> stopped) {}

  private final Consumer<byte[], byte[]> consumer;
  private final StreamsGroups groups;
  private final Supervisor.SupervisedThread thread;

  /** All applications. */
  private final Map<StreamsApplication, Awake> applications = new ConcurrentHashMap<>();

  private final Map<StreamsApplication, Sleep> asleep = new HashMap<>();

  /** Those whose sources the consumer reads. */
  private final Set<StreamsApplication> watched = new HashSet<>();

  /** Applications of which the log says that this worker may not look at their groups. */
  private final Set<String> unauthorized = new HashSet<>();

  private long lookedAt = System.nanoTime();

  /**
   * Starts to watch.
   *
   * @param consumer of committed records, without a group and without a reset of offsets; closed
   *     with this
   */
  SleepWatch(Consumer<byte[], byte[]> consumer, StreamsGroups groups, Supervisor supervisor) {
    this.consumer = consumer;
    this.groups = groups;
    this.thread =
        supervisor.start(
            "sleep", _ -> step(), new Supervisor.Resource(consumer::wakeup, consumer::close));
  }

  /** Watches an application that runs. */
  void add(StreamsApplication application) {
    applications.put(application, new Awake(SleepRule.STAY, System.nanoTime()));
  }

  /** Forgets an application that is closed. */
  void remove(StreamsApplication application) {
    applications.remove(application);
  }

  private Duration step() throws InterruptedException {
    for (StreamsApplication application : applications.keySet()) {
      decide(application);
    }
    asleep.entrySet().removeIf(entry -> hasEnded(entry.getKey(), entry.getValue()));
    look();
    assign();
    if (consumer.assignment().isEmpty()) {
      return POLL;
    }
    poll();
    return Duration.ZERO;
  }

  private void decide(StreamsApplication application) throws InterruptedException {
    Awake awake = applications.get(application);
    if (awake == null
        || asleep.containsKey(application)
        || System.nanoTime() - awake.nextLook() < 0
        || !application.isIdle()) {
      return;
    }
    SleepRule rule = SleepRule.STAY;
    try {
      Set<String> topics = new HashSet<>(application.sources());
      topics.addAll(application.repartitions());
      // What arrives after this wakes the application.
      Map<TopicPartition, Long> ends = groups.readEnds(application.name(), topics);
      if (ends != null) {
        rule = SleepRule.of(application.clients(), groups.settled(application.name()));
        // At the second look it still has all tasks that the group gave it before the first one.
        if (rule != SleepRule.STAY && rule == awake.rule() && application.isIdle()) {
          ends.keySet().removeIf(end -> !application.sources().contains(end.topic()));
          Future<?> stopped = run(application, application::sleep);
          asleep.put(application, new Sleep(ends, rule, System.nanoTime(), stopped));
          rule = SleepRule.STAY;
        }
      }
    } catch (AuthorizationException e) {
      if (unauthorized.add(application.name())) {
        LOG.warn("{} does not sleep: {}", application.name(), e.getMessage());
      }
    } catch (KafkaException e) {
      LOG.debug("{} stays awake", application.name(), e);
    }
    long nextLook = System.nanoTime() + LOOK.toNanos();
    applications.replace(application, awake, new Awake(rule, nextLook));
  }

  private static Future<?> run(StreamsApplication application, Runnable change) {
    String name = application.name();
    return CompletableFuture.runAsync(change, Thread.ofVirtual().name(name + "-sleep")::start)
        .whenComplete((_, failure) -> {
          if (failure != null) {
            LOG.error("{} did not fall asleep or wake in order", name, failure);
          }
        });
  }

  /** Whether an application does not sleep any more, for whatever reason. */
  private boolean hasEnded(StreamsApplication application, Sleep sleep) {
    return !applications.containsKey(application)
        || (sleep.stopped().isDone() && !application.isAsleep());
  }

  private void wake(StreamsApplication application, String reason) {
    asleep.remove(application);
    LOG.info("{} wakes: {}", application.name(), reason);
    var _ = run(application, application::wake);
  }

  /** Wakes applications for other reasons than records. */
  private void look() throws InterruptedException {
    if (asleep.isEmpty() || System.nanoTime() - lookedAt < LOOK.toNanos()) {
      return;
    }
    lookedAt = System.nanoTime();
    try {
      Map<String, Integer> sizes =
          TopicSetup.partitions(
              groups.admin(),
              asleep.keySet().stream()
                  .flatMap(application -> application.sources().stream())
                  .collect(Collectors.toSet()));
      for (Map.Entry<StreamsApplication, Sleep> entry : Map.copyOf(asleep).entrySet()) {
        String reason = reason(entry.getKey(), entry.getValue(), sizes);
        if (entry.getValue().stopped().isDone() && reason != null) {
          wake(entry.getKey(), reason);
        }
      }
    } catch (KafkaException e) {
      LOG.debug("Looks at sleeping applications again", e);
    }
  }

  private @Nullable String reason(
      StreamsApplication application, Sleep sleep, Map<String, Integer> partitions)
      throws InterruptedException {
    Map<String, Integer> known =
        sleep.ends().keySet().stream()
            .collect(Collectors.toMap(TopicPartition::topic, _ -> 1, Integer::sum));
    for (String source : application.sources()) {
      if (!known.getOrDefault(source, 0).equals(partitions.get(source))) {
        return "the partitions of %s changed".formatted(source);
      }
    }
    if (sleep.rule() == SleepRule.LEAVE_TO_OTHERS && !groups.hasMembers(application.name())) {
      return "its group has no members any more";
    }
    return System.nanoTime() - sleep.since() > LONGEST.toNanos()
        ? "Kafka would forget the offsets of its group"
        : null;
  }

  /** Reads the sources of the applications that have left their groups. */
  private void assign() {
    watched.retainAll(asleep.keySet());
    Map<TopicPartition, Long> ends = new HashMap<>();
    Set<TopicPartition> sources = new HashSet<>();
    asleep.forEach((application, sleep) -> {
      if (sleep.stopped().isDone()) {
        sources.addAll(sleep.ends().keySet());
        if (watched.add(application)) {
          sleep.ends().forEach((source, end) -> ends.merge(source, end, Math::min));
        }
      }
    });
    Set<TopicPartition> before = Set.copyOf(consumer.assignment());
    if (!before.equals(sources)) {
      consumer.assign(sources);
    }
    ends.forEach((source, end) -> {
      if (!before.contains(source) || consumer.position(source) > end) {
        consumer.seek(source, end);
      }
    });
  }

  private void poll() {
    Map<TopicPartition, Long> last = new HashMap<>();
    try {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        last.put(new TopicPartition(record.topic(), record.partition()), record.offset());
      }
    } catch (OffsetOutOfRangeException e) {
      e.partitions().forEach(partition -> last.put(partition, Long.MAX_VALUE));
    } catch (AuthorizationException e) {
      // Awake, the application that may not read its source says so.
      consumer.assignment().forEach(partition -> last.put(partition, Long.MAX_VALUE));
    }
    for (StreamsApplication application : List.copyOf(watched)) {
      Sleep sleep = asleep.get(application);
      if (sleep != null) {
        last.entrySet().stream()
            .filter(read -> sleep.ends().containsKey(read.getKey()))
            .filter(read -> read.getValue() >= sleep.ends().getOrDefault(read.getKey(), 0L))
            .findFirst()
            .ifPresent(read -> wake(application, "a record arrived in " + read.getKey()));
      }
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}

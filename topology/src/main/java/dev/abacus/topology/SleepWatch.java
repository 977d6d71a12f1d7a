package dev.abacus.topology;

import dev.abacus.schemas.supervision.Supervisor;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets idle applications of an instance sleep, and wakes them. It looks at the ends of the sources
 * of all that sleep, which must be those of the time of the decision: so no record can be
 * overlooked between decision and sleep, and other partitions, a deleted and a truncated source are
 * noticed in the same way. An application also wakes
 *
 * <ul>
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

  /** Interval at which the ends of the sources of sleeping applications are read. */
  private static final Duration POLL = Duration.ofSeconds(1);

  /** Interval at which the groups of applications are read. */
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

  private final StreamsGroups groups;
  private final Supervisor.SupervisedThread thread;

  /** All applications. */
  private final Map<StreamsApplication, Awake> applications = new ConcurrentHashMap<>();

  private final Map<StreamsApplication, Sleep> asleep = new HashMap<>();

  /** Applications of which the log says that this worker may not look at their groups. */
  private final Set<String> unauthorized = new HashSet<>();

  private long lookedAt = System.nanoTime();

  /** Starts to watch. */
  SleepWatch(StreamsGroups groups, Supervisor supervisor) {
    this.groups = groups;
    this.thread = supervisor.start("sleep", _ -> step(), Supervisor.Resource.NONE);
  }

  /**
   * Whether an application with these properties would read the record that wakes it: it has to
   * read a partition without a committed offset from its first record.
   */
  static boolean canWake(Properties properties) {
    return "earliest"
        .equalsIgnoreCase(
            String.valueOf(
                new StreamsConfig(properties)
                    .getMainConsumerConfigs("check", "check", 0)
                    .get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG)));
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
    return POLL;
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
      Set<String> topics = new HashSet<>(application.topics().sources());
      topics.addAll(application.topics().repartitions());
      // What arrives after this wakes the application.
      Map<TopicPartition, Long> ends = groups.readEnds(application.name(), topics);
      if (ends != null) {
        rule = SleepRule.of(application.clients(), groups.settled(application.name()));
        // At the second look it still has all tasks that the group gave it before the first one.
        if (rule != SleepRule.STAY && rule == awake.rule() && application.isIdle()) {
          ends.keySet().removeIf(end -> !application.topics().sources().contains(end.topic()));
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

  /** Wakes the applications that have left their groups, if there is a reason. */
  private void look() throws InterruptedException {
    Map<StreamsApplication, Sleep> stopped = new HashMap<>(asleep);
    stopped.values().removeIf(sleep -> !sleep.stopped().isDone());
    if (stopped.isEmpty()) {
      return;
    }
    try {
      boolean groupsToo = System.nanoTime() - lookedAt >= LOOK.toNanos();
      Map<TopicPartition, Long> ends =
          groups.ends(
              stopped.keySet().stream()
                  .flatMap(application -> application.topics().sources().stream())
                  .collect(Collectors.toSet()));
      for (Map.Entry<StreamsApplication, Sleep> entry : stopped.entrySet()) {
        String reason = reason(entry.getKey(), entry.getValue(), ends, groupsToo);
        if (reason != null) {
          wake(entry.getKey(), reason);
        }
      }
      lookedAt = groupsToo ? System.nanoTime() : lookedAt;
    } catch (AuthorizationException e) {
      // Awake, the application that may not read its source says so.
      stopped.keySet().forEach(application -> wake(application, String.valueOf(e.getMessage())));
    } catch (KafkaException e) {
      LOG.debug("Looks at sleeping applications again", e);
    }
  }

  private @Nullable String reason(
      StreamsApplication application,
      Sleep sleep,
      Map<TopicPartition, Long> ends,
      boolean groupsToo)
      throws InterruptedException {
    Map<TopicPartition, Long> now = new HashMap<>(ends);
    now.keySet().removeIf(end -> !application.topics().sources().contains(end.topic()));
    if (!now.equals(sleep.ends())) {
      now.entrySet().removeAll(sleep.ends().entrySet());
      return "a record arrived, or the partitions changed: the sources end at " + now;
    }
    if (groupsToo
        && sleep.rule() == SleepRule.LEAVE_TO_OTHERS
        && !groups.hasMembers(application.name())) {
      return "its group has no members any more";
    }
    return System.nanoTime() - sleep.since() > LONGEST.toNanos()
        ? "Kafka would forget the offsets of its group"
        : null;
  }

  @Override
  public void close() {
    thread.close();
  }
}

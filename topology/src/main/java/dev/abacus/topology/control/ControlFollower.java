package dev.abacus.topology.control;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.control.AcceptedOffsets;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InvalidControlException;
import dev.abacus.schemas.control.Restoration;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.kafka.TopicCheck;
import dev.abacus.schemas.monitor.LogContext;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the control topic from its beginning and keeps a {@link ProgramPlans} per program. An
 * invalid record changes nothing; the optimizer reads it too and reports it to the user.
 *
 * <p>The process has one follower instead of a global store in each topology, because the topic
 * decides which topologies are started.
 */
public final class ControlFollower implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(500);

  private final Consumer<byte[], byte[]> consumer;
  private final KafkaNames names;
  private final TopicPartition partition;
  private final ControlCodec codec;
  private final Listener listener;
  private final Map<String, ProgramPlans> slots = new ConcurrentHashMap<>();
  private final AcceptedOffsets accepted = new AcceptedOffsets();

  /** Programs of which nothing may be left. */
  private final Set<String> emptied = new HashSet<>();

  /** Programs whose listener does not know of a change yet; true if it is to resume. */
  private final Map<String, Boolean> changed = new LinkedHashMap<>();

  /** Records that were there at the start, by key: the last tombstone, and what came after it. */
  private final Map<String, List<ConsumerRecord<byte[], byte[]>>> past = new HashMap<>();

  /**
   * The end of the topic when this began to read it. A later look would wait for the fetch that is
   * on its way, and so find the records that this brings not read: while records flow, no end would
   * ever be reached.
   */
  private long end;

  private volatile long position;
  private boolean assigned;
  private boolean caughtUp;
  private final Supervisor.SupervisedThread thread;

  /**
   * Starts to read the topic.
   *
   * @param consumer has no group; the follower closes it
   */
  public ControlFollower(
      Consumer<byte[], byte[]> consumer,
      KafkaNames names,
      ControlCodec codec,
      Supervisor supervisor,
      Listener listener) {
    this.consumer = consumer;
    this.names = names;
    this.partition = new TopicPartition(names.control(), 0);
    this.codec = codec;
    this.listener = listener;
    this.thread =
        supervisor.start(
            "control", this::step, new Supervisor.Resource(consumer::wakeup, consumer::close));
  }

  /** Hears of changes. Called on the follower's thread. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called for each program when the topic is read to its end for the first time, and then after
     * the records of one poll that changed the plans of a program, applied or not. So a program
     * that is applied and removed at once does not start.
     */
    void changed(String program, ProgramPlans plans);

    /**
     * Called after a record that resumes or redefines a program, even if the program was not
     * paused: an operator may have mended the cause of an outage.
     */
    default void resumed(String program) {}

    /** Whether something still uses the plans of a program, which may be removed. */
    default boolean isRunning(String program) {
      return false;
    }
  }

  /** The plans of a program; empty if the topic has no record of it. */
  public ProgramPlans plans(String program) {
    return slots.computeIfAbsent(program, _ -> new ProgramPlans(codec::knowsModel, () -> position));
  }

  /** Names of the programs that are known so far. */
  public Set<String> programs() {
    return slots.entrySet().stream()
        .filter(slot -> slot.getValue().state().program() != null)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Duration step(ThreadHealth health) {
    if (!assigned) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      past.clear();
      assigned = true;
    }
    ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
    try {
      if (caughtUp) {
        follow(records, health);
      } else {
        records.forEach(this::remember);
        if (consumer.position(partition) >= end) {
          applyPast(health);
          forgetEmptied();
          caughtUp = true;
          slots.keySet().forEach(program -> changed.put(program, false));
        }
      }
    } finally {
      notifyListener(health);
    }
    position = consumer.position(partition);
    forgetEmptied();
    return Duration.ZERO;
  }

  private void follow(ConsumerRecords<byte[], byte[]> records, ThreadHealth health) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        apply(record, health);
      } catch (SerializationException e) {
        // Later records must not overtake this one, which may be valid.
        consumer.seek(partition, record.offset());
        throw e;
      }
    }
  }

  /** What came before a tombstone is not decoded: most of a topic that is not compacted yet. */
  private void remember(ConsumerRecord<byte[], byte[]> record) {
    List<ConsumerRecord<byte[], byte[]>> ofKey =
        past.computeIfAbsent(RecordText.key(record), _ -> new ArrayList<>());
    if (record.value() == null) {
      ofKey.clear();
    }
    ofKey.add(record);
  }

  private void applyPast(ThreadHealth health) {
    try {
      past.values().stream()
          .flatMap(List::stream)
          .sorted(Comparator.comparingLong(ConsumerRecord::offset))
          .forEach(record -> apply(record, health));
    } catch (SerializationException e) {
      assigned = false; // It is read again from the beginning.
      throw e;
    }
    past.clear();
  }

  /** Forgets the programs of which nothing is left, except those that have to stop first. */
  private void forgetEmptied() {
    Set<String> gone = new HashSet<>();
    emptied.removeIf(program -> {
      ProgramPlans plans = slots.get(program);
      boolean empty = plans != null && plans.isEmpty();
      if (empty && listener.isRunning(program)) {
        return false;
      }
      if (empty) {
        slots.remove(program);
        gone.add(program);
      }
      return true;
    });
    if (!gone.isEmpty()) {
      accepted.forget(key -> gone.contains(ControlKey.parse(key).program()));
    }
  }

  private void apply(ConsumerRecord<byte[], byte[]> record, ThreadHealth health) {
    if (record.key() == null) {
      return;
    }
    String path = RecordText.key(record);
    try {
      ControlKey key = ControlKey.parse(path);
      Restoration restoration = Restoration.of(record.headers());
      if (accepted.isStale(path, restoration)) {
        return;
      }
      ControlRecord value = codec.decode(key, record.value());
      if (value instanceof ControlRecord.ProgramSet(Program program)) {
        requireTopics(program);
      }
      ProgramPlans plans = plans(key.program());
      if (value != null) {
        plans.apply(value);
      } else {
        plans.remove(key);
        if (plans.isEmpty()) {
          emptied.add(key.program());
        }
      }
      accepted.accept(path, record.offset(), restoration);
      if (caughtUp) {
        boolean resumes = restoration == null && isResumption(key, value);
        changed.merge(key.program(), resumes, Boolean::logicalOr);
      }
    } catch (InvalidControlException | RuntimeException | StackOverflowError e) {
      if (e instanceof SerializationException registry && AvroValues.mayBeRetried(registry)) {
        throw registry;
      }
      health.skipped(
          "%s@%d ('%s')".formatted(partition, record.offset(), LogContext.shortened(path)), e);
    }
  }

  private void requireTopics(Program program) {
    List<Program> others =
        slots.values().stream()
            .map(plans -> plans.state().program())
            .filter(Objects::nonNull)
            .toList();
    String mistake = TopicCheck.mistake(program, others, names);
    if (mistake != null) {
      throw new IllegalArgumentException(mistake);
    }
  }

  private static boolean isResumption(ControlKey key, @Nullable ControlRecord value) {
    return key instanceof ControlKey.PausedKey
        ? !(value instanceof ControlRecord.Paused paused && paused.paused())
        : value instanceof ControlRecord.ProgramSet;
  }

  private void notifyListener(ThreadHealth health) {
    changed.forEach((program, resumes) -> {
      try {
        listener.changed(program, plans(program));
        if (resumes) {
          listener.resumed(program);
        }
      } catch (RuntimeException e) {
        // The other programs must still receive their records.
        health.skipped("program '" + program + "'", e);
      }
    });
    changed.clear();
  }

  @Override
  public void close() {
    thread.close();
  }
}

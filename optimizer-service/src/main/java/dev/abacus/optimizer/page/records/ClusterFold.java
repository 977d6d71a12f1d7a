package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlFold;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Folds records of all topics into a {@link Cluster}. Several threads apply records, each those of
 * its own topics.
 *
 * <p>Thread-safe.
 */
public final class ClusterFold {

  private static final int MOST_ACTIVATIONS = 50;

  private final KafkaNames names;
  private final InstantSource clock;
  private final ControlFold control;
  private final StatusFold statuses = new StatusFold();
  private final SampleFold samples = new SampleFold();
  private final DeadLetterFold deadLetters = new DeadLetterFold();
  private final JourneyFold journeys = new JourneyFold();
  private final Map<String, Rejection> rejections = new LinkedHashMap<>();
  private final Map<String, Deque<Cluster.TimedActivation>> activations = new HashMap<>();
  private long controlOffset = -1;

  public ClusterFold(KafkaNames names, ControlCodec codec, InstantSource clock) {
    this.names = names;
    this.control = new ControlFold(codec);
    this.clock = clock;
  }

  /** Applies a record of the control topic. */
  synchronized void control(ConsumerRecord<byte[], byte[]> record) {
    if (control.accept(record) instanceof ControlRecord.Activated activated) {
      Deque<Cluster.TimedActivation> latest =
          activations.computeIfAbsent(activated.program(), _ -> new ArrayDeque<>());
      latest.addFirst(
          new Cluster.TimedActivation(Instant.ofEpochMilli(record.timestamp()), activated));
      if (latest.size() > MOST_ACTIVATIONS) {
        latest.removeLast();
      }
    }
    controlOffset = record.offset();
    notifyAll();
  }

  /**
   * Waits until a record of the control topic is applied.
   *
   * @return false if {@code timeout} has passed
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public synchronized boolean awaitControl(long offset, Duration timeout)
      throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (controlOffset < offset) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  /** Applies a record of another topic than the control topic. */
  synchronized void accept(ConsumerRecord<byte[], byte[]> record) {
    String topic = record.topic();
    if (topic.equals(names.status())) {
      if (record.key() != null) {
        statuses.accept(new String(record.key(), StandardCharsets.UTF_8), record.value());
      }
    } else if (topic.equals(names.rejections())) {
      rejected(record.value());
    } else {
      for (String program : programs()) {
        if (topic.equals(names.observations(program))) {
          samples.accept(record.value());
        } else if (topic.equals(names.deadLetters(program))) {
          deadLetters.accept(program, record);
        } else if (topic.equals(names.journeys(program))) {
          journeys.accept(program, record);
        }
      }
    }
  }

  private void rejected(byte @Nullable [] value) {
    try {
      if (value != null) {
        Rejection rejection = Json.read(value, Rejection.class);
        rejections.put(ControlKey.parse(rejection.key()).path(), rejection);
      }
    } catch (MalformedRecordException | IllegalArgumentException e) {
      // A rejection of another topic, or of a newer version.
    }
  }

  /** Names of the applied programs. */
  synchronized List<String> programs() {
    return control.records().keySet().stream()
        .filter(ControlKey.ProgramKey.class::isInstance)
        .map(ControlKey::program)
        .sorted()
        .toList();
  }

  /** The present state. */
  public synchronized Cluster snapshot() {
    Instant now = clock.instant();
    rejections.values().forEach(control::refuse);
    NavigableMap<String, Cluster.ProgramRecords> programs = new TreeMap<>();
    Map<String, Long> before = control.activeBefore();
    for (String name : programs()) {
      programs.put(name, program(name, before.get(name), now));
    }
    return new Cluster(now, programs);
  }

  private Cluster.ProgramRecords program(String name, @Nullable Long before, Instant now) {
    Map<ControlKey, ControlRecord> records = control.records();
    NavigableMap<Long, PhysicalPlan> plans = new TreeMap<>();
    Map<String, PhysicalOperator> pins = new TreeMap<>();
    ControlRecord.Activated active = null;
    ControlRecord.Paused paused = null;
    for (ControlRecord record : records.values()) {
      if (!record.key().program().equals(name)) {
        continue;
      }
      switch (record) {
        case ControlRecord.PlanPublished(var plan) -> plans.put(plan.epoch(), plan);
        case ControlRecord.Pinned(var _, var operator, var physical) ->
            pins.put(operator, physical);
        case ControlRecord.Activated activated -> active = activated;
        case ControlRecord.Paused pause -> paused = pause.paused() ? pause : null;
        case ControlRecord.ProgramSet _,
            ControlRecord.ObjectiveSet _,
            ControlRecord.BudgetSet _,
            ControlRecord.Reoptimize _ -> {
          // The program in force has them.
        }
      }
    }
    return new Cluster.ProgramRecords(
        inForce(name),
        paused,
        active,
        rollback(active, before, plans),
        List.copyOf(activations.getOrDefault(name, new ArrayDeque<>())),
        plans,
        pins,
        refused(name),
        statuses.live(name, now),
        statuses.search(name),
        statuses.governor(name),
        active == null ? null : statuses.report(name, active.epoch()),
        statuses.rates(name, now),
        samples.samples(name),
        deadLetters.groups(name),
        journeys.journeys(name));
  }

  /** The epoch that a rollback returns to, by the rule of {@code abacus plan rollback}. */
  private static @Nullable Long rollback(
      ControlRecord.@Nullable Activated active,
      @Nullable Long before,
      NavigableMap<Long, PhysicalPlan> plans) {
    if (active == null) {
      return null;
    }
    Long other = active.beside() == null ? before : active.beside();
    return other != null && plans.containsKey(other) ? other : plans.lowerKey(active.epoch());
  }

  private Program inForce(String name) {
    Map<ControlKey, ControlRecord> records = control.records();
    ControlRecord record = records.get(new ControlKey.ProgramKey(name));
    if (!(record instanceof ControlRecord.ProgramSet(Program program))) {
      throw new IllegalStateException("no program " + name);
    }
    if (records.get(new ControlKey.ObjectiveKey(name)) instanceof ControlRecord.ObjectiveSet set) {
      program = program.withObjective(set.objective());
    }
    if (records.get(new ControlKey.BudgetKey(name)) instanceof ControlRecord.BudgetSet set) {
      program =
          program.withBudget(
              set.budget() == null ? program.budget() : set.budget(),
              set.spending() == null ? program.spending() : set.spending());
    }
    return program;
  }

  private List<Rejection> refused(String name) {
    return rejections.values().stream()
        .filter(rejection -> ControlKey.parse(rejection.key()).program().equals(name))
        .filter(control::isCurrent)
        .toList();
  }
}

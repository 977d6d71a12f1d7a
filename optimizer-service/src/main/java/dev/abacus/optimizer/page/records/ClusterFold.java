package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.control.BillFold;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlFold;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.ControlSnapshot;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Folds records of all topics into a {@link Cluster}. Several threads apply records, each those of
 * its own topics.
 *
 * <p>Thread-safe.
 */
public final class ClusterFold {

  /** Longer than any month. */
  private static final Duration BILLS = Duration.ofDays(32);

  private final KafkaNames names;
  private final InstantSource clock;
  private final ControlFold control;
  private final StatusFold statuses = new StatusFold();
  private final BillFold bills = new BillFold();
  private final Map<String, ProgramFold> folds = new HashMap<>();
  private long controlOffset = -1;

  public ClusterFold(KafkaNames names, ControlCodec codec, InstantSource clock) {
    this.names = names;
    this.control = new ControlFold(codec);
    this.clock = clock;
  }

  /** Applies a record of the control topic. */
  synchronized void control(ConsumerRecord<byte[], byte[]> record) {
    ControlRecord taken = control.accept(record);
    if (taken != null) {
      fold(taken.key().program()).change(record, taken);
    }
    controlOffset = record.offset();
    notifyAll();
  }

  private ProgramFold fold(String program) {
    return folds.computeIfAbsent(program, _ -> new ProgramFold());
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
      statuses.accept(record);
    } else if (topic.equals(names.spending())) {
      bills.keepFrom(clock.instant().minus(BILLS));
      bills.accept(record);
    } else if (topic.equals(names.rejections())) {
      control.reject(record.value());
    } else {
      for (String program : programs()) {
        if (topic.equals(names.observations(program))) {
          fold(program).sample(record);
        } else if (topic.equals(names.deadLetters(program))) {
          fold(program).deadLetter(record);
        } else if (topic.equals(names.journeys(program))) {
          fold(program).journey(record);
        } else if (topic.equals(names.review(program))) {
          fold(program).review(record);
        }
      }
    }
  }

  /** Names of the applied programs. */
  synchronized List<String> programs() {
    return ControlSnapshot.over(control.records()).programs();
  }

  /** The present state. */
  public synchronized Cluster snapshot() {
    Instant now = clock.instant();
    ControlSnapshot inForce = control.snapshot();
    NavigableMap<String, Cluster.ProgramRecords> programs = new TreeMap<>();
    for (String name : inForce.programs()) {
      programs.put(name, program(Objects.requireNonNull(inForce.program(name)), inForce, now));
    }
    return new Cluster(now, programs);
  }

  private Cluster.ProgramRecords program(Program program, ControlSnapshot inForce, Instant now) {
    String name = program.name();
    ProgramFold fold = fold(name);
    ControlRecord.Activated active = inForce.active(name);
    return new Cluster.ProgramRecords(
        inForce.effective(program),
        inForce.pause(name),
        active,
        inForce.epochBefore(name),
        fold.changes(),
        inForce.plans(name),
        inForce.refused(name),
        statuses.live(name, now),
        statuses.search(name),
        statuses.governor(name),
        active == null ? null : statuses.report(name, active.epoch()),
        statuses.rates(name, now),
        statuses.history(name, now),
        fold.samples(),
        fold.deadLetters().groups(),
        fold.deadLetters().letters(),
        fold.journeys(),
        bills.of(name),
        fold.reviews());
  }
}

package dev.abacus.topology.telemetry;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.topology.runtime.RuntimeListener;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts what happens to the documents and samples of one program in this process. */
public final class ProgramCounters {

  private final LongAdder results = new LongAdder();
  private final LongAdder filtered = new LongAdder();
  private final LongAdder filteredGroups = new LongAdder();
  private final LongAdder deadLetters = new LongAdder();
  private final LongAdder samples = new LongAdder();
  private final LongAdder running = new LongAdder();
  private final DoubleAdder cost = new DoubleAdder();
  private final DoubleAdder sampleCost = new DoubleAdder();
  private final Map<Long, EpochCounts> epochs = new ConcurrentSkipListMap<>();
  private final Map<String, QualityCounts> judged = new ConcurrentSkipListMap<>();
  private final List<Map<Integer, Integer>> pending = new CopyOnWriteArrayList<>();

  /** A document gave a result. */
  public void result(double costUsd) {
    results.increment();
    cost.add(costUsd);
  }

  /** That much was spent on a document, whatever becomes of it. */
  public void spent(double costUsd) {
    cost.add(costUsd);
  }

  /** A filter dropped a document, or a limit or window that was closed. */
  public void filtered(double costUsd) {
    filtered.increment();
    cost.add(costUsd);
  }

  /** As {@link #filtered}, of a group that an aggregate made of several documents. */
  public void filteredGroup(double costUsd) {
    filteredGroups.increment();
    cost.add(costUsd);
  }

  /** A document became a dead letter. */
  public void deadLetter(double costUsd) {
    deadLetters.increment();
    cost.add(costUsd);
  }

  /**
   * A document was done under the plan of an epoch, whatever came of it.
   *
   * @param latency seconds that its operators took
   */
  public void document(long epoch, double costUsd, double latency, boolean failed) {
    epochs.merge(
        epoch,
        EpochCounts.none(epoch).with(costUsd, latency, failed),
        (known, more) -> known.plus(more));
  }

  /**
   * The judge scored a live output of an operator.
   *
   * @param quality in [0, 1]
   */
  public void judged(long epoch, String operator, double quality) {
    QualityCounts none = QualityCounts.none(epoch, operator);
    judged.merge(epoch + "/" + operator, none.with(quality), QualityCounts::plus);
  }

  /** A sample task was done; its cost includes the judge's. */
  public void sample(double costUsd) {
    samples.increment();
    sampleCost.add(costUsd);
  }

  /** Listens to one processor of documents; each needs a listener of its own. */
  public RuntimeListener documents() {
    Map<Integer, Integer> byPartition = new ConcurrentHashMap<>();
    pending.add(byPartition);
    return new RuntimeListener() {
      @Override
      public void started() {
        running.increment();
      }

      @Override
      public void finished(long nanos) {
        running.decrement();
      }

      @Override
      public void pending(int partition, int records) {
        byPartition.put(partition, records);
      }
    };
  }

  /** The counts alone as a status record. */
  public InstanceStatus status(
      String program, String instance, Instant at, String state, @Nullable Long epoch) {
    return status(program, instance, at, state, epoch, null, List.of());
  }

  /**
   * The counts as a status record, with what was learnt elsewhere.
   *
   * @param lag documents not admitted yet; null if not known
   */
  public InstanceStatus status(
      String program,
      String instance,
      Instant at,
      String state,
      @Nullable Long epoch,
      @Nullable Long lag,
      List<ModelHealth> models) {
    long groups = filteredGroups.sum();
    return InstanceStatus.builder(program, instance, at, state)
        .epoch(epoch)
        .pending(
            pending.stream()
                .flatMap(byPartition -> byPartition.values().stream())
                .mapToLong(Integer::longValue)
                .sum())
        .inFlight(Math.max(0, running.sum()))
        .results(results.sum())
        .filtered(filtered.sum())
        .filteredGroups(groups == 0 ? null : Long.valueOf(groups))
        .deadLetters(deadLetters.sum())
        .samples(samples.sum())
        .costUsd(cost.sum())
        .sampleCostUsd(sampleCost.sum())
        .lag(lag)
        .epochs(List.copyOf(epochs.values()))
        .models(models)
        .quality(List.copyOf(judged.values()))
        .build();
  }
}

package dev.abacus.topology.telemetry;

import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.topology.runtime.RuntimeListener;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counters of the documents and samples of one program in this process. Thread-safe. */
public final class ProgramCounters {

  private final LongAdder results = new LongAdder();
  private final LongAdder filtered = new LongAdder();
  private final LongAdder filteredGroups = new LongAdder();
  private final LongAdder deadLetters = new LongAdder();
  private final LongAdder samples = new LongAdder();
  private final LongAdder running = new LongAdder();
  private final AtomicReference<Usage> live = new AtomicReference<>(Usage.NONE);
  private final AtomicReference<Usage> sampled = new AtomicReference<>(Usage.NONE);
  private final Map<Long, EpochCounts> epochs = new ConcurrentSkipListMap<>();
  private final Map<String, QualityCounts> judged = new ConcurrentSkipListMap<>();
  private final List<Map<Integer, Integer>> pending = new CopyOnWriteArrayList<>();

  /** Counts a result. */
  public void result() {
    results.increment();
  }

  /** Counts cost and tokens of a document, whatever its outcome. */
  public void spent(Usage usage) {
    live.accumulateAndGet(usage, Usage::plus);
  }

  /** Counts a document that a filter, a limit or a closed window dropped. */
  public void filtered(Usage usage) {
    filtered.increment();
    spent(usage);
  }

  /** Like {@link #filtered}, for a group of documents. */
  public void filteredGroup(Usage usage) {
    filteredGroups.increment();
    spent(usage);
  }

  /** Counts a dead letter. */
  public void deadLetter(Usage usage) {
    deadLetters.increment();
    spent(usage);
  }

  /**
   * Counts a finished document of an epoch, whatever its outcome.
   *
   * @param latency of its operators, in seconds
   */
  public void document(long epoch, double costUsd, double latency, boolean failed) {
    epochs.merge(
        epoch,
        EpochCounts.none(epoch).with(costUsd, latency, failed),
        (known, more) -> known.plus(more));
  }

  /**
   * Counts a score of the judge for a live output of an operator.
   *
   * @param quality in [0, 1]
   */
  public void judged(long epoch, String operator, double quality) {
    QualityCounts none = QualityCounts.none(epoch, operator);
    judged.merge(epoch + "/" + operator, none.with(quality), QualityCounts::plus);
  }

  /** Counts a finished sample task; its usage includes the judge. */
  public void sample(Usage usage) {
    samples.increment();
    sampled.accumulateAndGet(usage, Usage::plus);
  }

  /** Creates the listener of a processor of documents. Each processor needs one of its own. */
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

  /** A status record of the counters alone. */
  public InstanceStatus status(
      String program, String instance, Instant at, String state, @Nullable Long epoch) {
    return status(program, instance, at, state, epoch, null, List.of());
  }

  /**
   * A status record of the counters and other facts.
   *
   * @param lag number of documents that are not consumed; null if not known
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
    Usage used = Objects.requireNonNull(live.get());
    Usage usedBySamples = Objects.requireNonNull(sampled.get());
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
        .costUsd(used.costUsd())
        .tokens(used.tokens())
        .sampleCostUsd(usedBySamples.costUsd())
        .sampleTokens(usedBySamples.tokens())
        .lag(lag)
        .epochs(List.copyOf(epochs.values()))
        .models(models)
        .quality(List.copyOf(judged.values()))
        .build();
  }
}

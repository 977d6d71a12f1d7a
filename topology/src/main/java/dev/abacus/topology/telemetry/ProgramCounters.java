package dev.abacus.topology.telemetry;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.control.OperatorReuse;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.control.SourceSize;
import dev.abacus.schemas.monitor.LatencyHistogram;
import dev.abacus.topology.model.CallDecorator;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.PromptCacheMeter;
import dev.abacus.topology.operator.BatchListener;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.runtime.RuntimeListener;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counters of the documents and samples of one program in this process. Thread-safe. */
public final class ProgramCounters {

  /**
   * Epochs that are reported: those with the latest documents. Their number grows with each plan,
   * and a report has to fit a record.
   */
  private static final int EPOCHS_KEPT = 20;

  private final ModelCatalogue catalogue;
  private final LongAdder results = new LongAdder();
  private final LongAdder filtered = new LongAdder();
  private final LongAdder filteredGroups = new LongAdder();
  private final LongAdder deadLetters = new LongAdder();
  private final LongAdder samples = new LongAdder();
  private final LongAdder running = new LongAdder();
  private final AtomicReference<TokenCounts> tokens = new AtomicReference<>(TokenCounts.NONE);
  private final AtomicReference<TokenCounts> sampleTokens = new AtomicReference<>(TokenCounts.NONE);
  private final DoubleAdder cost = new DoubleAdder();
  private final DoubleAdder sampleCost = new DoubleAdder();
  private final DoubleAdder receiptsSaved = new DoubleAdder();
  private final LongAdder finished = new LongAdder();
  private final Map<Long, EpochCounts> epochs = latest();
  private final Map<Long, Map<String, QualityCounts>> judged = latest();
  private final Map<String, SourceSize> sizes = new ConcurrentSkipListMap<>();
  private final Map<String, OperatorFlow> flows = new ConcurrentSkipListMap<>();
  private final Map<String, OperatorMeter> operators = new ConcurrentSkipListMap<>();
  private final LongAdder pending = new LongAdder();

  /** Counters with the prices of the built-in catalogue. */
  public ProgramCounters() {
    this(ModelCatalogue.builtIn());
  }

  /**
   * Counters at 0.
   *
   * @param catalogue prices of the models
   */
  public ProgramCounters(ModelCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** Counts tokens of a call for a live document. */
  public void tokens(TokenCounts counts) {
    tokens.accumulateAndGet(counts, TokenCounts::plus);
  }

  /** Counts a result. */
  public void result() {
    results.increment();
  }

  /** Counts cost of a document in USD, whatever its outcome. */
  public void spent(double costUsd) {
    cost.add(costUsd);
  }

  /** Counts an answer that a receipt gave, so that no call was made. */
  public void known(ModelAnswer answer) {
    receiptsSaved.add(answer.cost());
  }

  /** USD that the calls had cost that receipts saved. */
  public double receiptsSaved() {
    return receiptsSaved.sum();
  }

  /** Results so far. */
  public long results() {
    return results.sum();
  }

  /** Documents, groups and pairs so far that have an end, whatever it is. */
  public long finished() {
    return finished.sum();
  }

  /**
   * Counts what a filter, a limit or a closed window dropped.
   *
   * @param group whether it is a group of documents
   */
  public void filtered(boolean group) {
    (group ? filteredGroups : filtered).increment();
  }

  /** Counts a dead letter. */
  public void deadLetter() {
    deadLetters.increment();
  }

  /**
   * Counts a finished document, group or pair of an epoch, whatever its outcome.
   *
   * @param latency of its operators, in seconds
   */
  public void document(long epoch, double costUsd, double latency, boolean failed) {
    finished.increment();
    epochs.merge(
        epoch,
        EpochCounts.none(epoch).with(costUsd, latency, failed),
        (known, more) -> known.plus(more));
  }

  /** Counts the work of operators on a document, group or pair of an epoch. */
  public void work(long epoch, EpochCounts.Work work) {
    epochs.merge(epoch, EpochCounts.none(epoch).with(work), (known, more) -> known.plus(more));
  }

  /** Counts a processed document of a source with its text length. */
  public void size(String source, int characters) {
    sizes.merge(source, new SourceSize(source, 1, characters), SourceSize::plus);
  }

  /** Counts inputs and outputs of an operator that samples do not tell its outputs of. */
  public void flow(OperatorFlow counts) {
    flows.merge(counts.operator(), counts, OperatorFlow::plus);
  }

  /** An executor whose work on live documents is counted by operator. */
  public OperatorExecutor around(OperatorExecutor next) {
    return (operator, technique, document, client) -> {
      OperatorMeter meter =
          operators.computeIfAbsent(
              operator.id(), id -> new OperatorMeter(id, operator.isSemantic()));
      meter.started();
      try {
        PromptCacheMeter cache = PromptCacheMeter.ofLive(catalogue);
        ModelClient metered =
            cache.around(
                CallDecorator.reporting((_, answer) -> meter.answered(answer.tokens()))
                    .around(client));
        OperatorOutcome outcome =
            technique.documentsPerCall() > 1
                ? ScopedValue.where(
                        BatchListener.CURRENT,
                        (documents, _) -> meter.batched(technique.documentsPerCall(), documents))
                    .call(() -> next.execute(operator, technique, document, metered))
                : next.execute(operator, technique, document, metered);
        meter.finished(outcome);
        if (operator.hasFanout() && !(outcome instanceof OperatorOutcome.Failed)) {
          flow(
              new OperatorFlow(
                  operator.id(), 1, outcome instanceof OperatorOutcome.Dropped ? 0 : 1));
        }
        if (outcome.stats().cost() > 0) {
          meter.cached(technique.id(), outcome.stats().cost(), cache.saved());
        }
        return outcome;
      } finally {
        meter.stopped();
      }
    };
  }

  /** The latest requests of the operators with requests, and those that the store answered. */
  public List<OperatorReuse> reuse() {
    return operators.values().stream()
        .map(OperatorMeter::reuse)
        .filter(reuse -> reuse.requests() > 0)
        .toList();
  }

  /** The times that semantic operators took for live documents, by operator. */
  public Map<String, LatencyHistogram> latencies() {
    Map<String, LatencyHistogram> latencies = new HashMap<>();
    operators.forEach((operator, meter) -> {
      LatencyHistogram histogram = meter.latencies();
      if (histogram != null) {
        latencies.put(operator, histogram);
      }
    });
    return latencies;
  }

  /**
   * Counts a score of the judge for a live output of an operator.
   *
   * @param quality in [0, 1]
   * @param kept the decision that was scored; null if the operator is no filter
   */
  public void judged(long epoch, String operator, double quality, @Nullable Boolean kept) {
    QualityCounts none = QualityCounts.none(epoch, operator);
    add(kept == null ? none.with(quality) : none.withDecision(kept, quality));
  }

  /** Counts a failure of a live operator, which scores 0. */
  public void judgedFailure(long epoch, String operator) {
    add(QualityCounts.none(epoch, operator).withFailure());
  }

  /** Counts an output of a live operator that was drawn for the judge and has no score. */
  public void notJudged(long epoch, String operator) {
    add(QualityCounts.none(epoch, operator).withMissing());
  }

  private void add(QualityCounts more) {
    judged
        .computeIfAbsent(more.epoch(), _ -> new ConcurrentSkipListMap<>())
        .merge(more.operator(), more, QualityCounts::plus);
  }

  /** Counts a finished sample task; its cost and tokens include the judge. */
  public void sample(double costUsd, TokenCounts counts) {
    samples.increment();
    sampleCost.add(costUsd);
    sampleTokens.accumulateAndGet(counts, TokenCounts::plus);
  }

  /** Creates the listener of a processor of documents. Each processor needs one of its own. */
  public RuntimeListener documents() {
    Map<Integer, Integer> byPartition = new ConcurrentHashMap<>();
    return new RuntimeListener() {
      @Override
      public void started() {
        running.increment();
      }

      @Override
      public void finished() {
        running.decrement();
      }

      @Override
      public void pending(int partition, int records) {
        Integer before = byPartition.put(partition, records);
        pending.add(records - (before == null ? 0 : before));
      }
    };
  }

  /** A status record of the counters alone. */
  public InstanceStatus status(
      String program, String instance, Instant at, String state, @Nullable Long epoch) {
    long groups = filteredGroups.sum();
    return InstanceStatus.builder(program, instance, at, state)
        .epoch(epoch)
        .pending(Math.max(0, pending.sum()))
        .inFlight(Math.max(0, running.sum()))
        .results(results.sum())
        .filtered(filtered.sum())
        .filteredGroups(groups == 0 ? null : Long.valueOf(groups))
        .deadLetters(deadLetters.sum())
        .samples(samples.sum())
        .costUsd(cost.sum())
        .sampleCostUsd(sampleCost.sum())
        .epochs(List.copyOf(epochs.values()))
        .quality(
            List.copyOf(judged.values()).stream()
                .flatMap(ofEpoch -> ofEpoch.values().stream())
                .toList())
        .sampleTokens(sampleTokens.get())
        .tokens(tokens.get())
        .sizes(List.copyOf(sizes.values()))
        .flows(List.copyOf(flows.values()))
        .operators(operators.values().stream().map(OperatorMeter::counts).toList())
        .build();
  }

  private static <T> Map<Long, T> latest() {
    return Collections.synchronizedMap(
        new LinkedHashMap<>(2 * EPOCHS_KEPT, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, T> eldest) {
            return size() > EPOCHS_KEPT;
          }
        });
  }
}

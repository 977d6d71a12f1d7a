package dev.abacus.topology.telemetry;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.BatchCounts;
import dev.abacus.schemas.control.CacheCounts;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.control.OperatorReuse;
import dev.abacus.schemas.monitor.LatencyHistogram;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the work of one operator on live documents. Thread-safe. */
final class OperatorMeter {

  /** The number of the latest requests or documents at which they are halved. */
  private static final long MOST_REQUESTS = 2_000;

  private final LongAdder inputs = new LongAdder();
  private final LongAdder outputs = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final DoubleAdder cost = new DoubleAdder();
  private final DoubleAdder seconds = new DoubleAdder();
  private final LongAdder running = new LongAdder();

  /** The latest requests; guarded by this. */
  private OperatorReuse reuse;

  /** The latest calls for several documents; null before the first; guarded by this. */
  private @Nullable BatchCounts batches;

  /** What prompt caches took off the latest documents; null before the first; guarded by this. */
  private @Nullable CacheCounts cache;

  /** Null for a relational operator, whose time is that of this processor. */
  private final @Nullable LatencyHistogram latencies;

  OperatorMeter(String operator, boolean semantic) {
    this.reuse = new OperatorReuse(operator, 0, 0, 0, 0);
    this.latencies = semantic ? new LatencyHistogram() : null;
  }

  void started() {
    running.increment();
  }

  void stopped() {
    running.decrement();
  }

  void finished(OperatorOutcome outcome) {
    inputs.increment();
    cost.add(outcome.stats().cost());
    seconds.add(outcome.stats().latency());
    if (latencies != null) {
      latencies.add(outcome.stats().latency());
    }
    switch (outcome) {
      case OperatorOutcome.Kept kept -> outputs.add(kept.documents().size());
      case OperatorOutcome.Dropped _ -> {
        // No output.
      }
      case OperatorOutcome.Failed _ -> failures.increment();
    }
  }

  /** Counts a request, and whether the answer store saved its call. */
  synchronized void answered(TokenCounts tokens) {
    if (reuse.requests() >= MOST_REQUESTS) {
      reuse = reuse.half();
    }
    long stored = tokens.stored();
    reuse =
        reuse.plus(
            new OperatorReuse(
                reuse.operator(), 1, stored > 0 ? 1 : 0, tokens.total() + stored, stored));
  }

  /**
   * Counts a document of a call for several documents. Counts of another size are forgotten.
   *
   * @param size the largest number of documents per call
   */
  synchronized void batched(int size, int documents) {
    BatchCounts before = batches;
    if (before == null || before.size() != size) {
      before = new BatchCounts(size, 0, 0);
    } else if (before.documents() >= MOST_REQUESTS) {
      before = before.half();
    }
    batches = before.plus(documents);
  }

  /**
   * Counts what the prompt caches of providers took off a document.
   *
   * @param implementation id of the one that processed it; counts of another one are forgotten
   * @param charged USD
   * @param saved USD
   */
  synchronized void cached(String implementation, double charged, double saved) {
    CacheCounts before = cache;
    if (before == null || !before.implementation().equals(implementation)) {
      before = CacheCounts.none(implementation);
    } else if (before.documents() >= MOST_REQUESTS) {
      before = before.half();
    }
    cache = before.plus(charged, saved);
  }

  private synchronized @Nullable BatchCounts batches() {
    return batches;
  }

  private synchronized @Nullable CacheCounts cache() {
    return cache;
  }

  /** The latest requests. */
  synchronized OperatorReuse reuse() {
    return reuse;
  }

  @Nullable LatencyHistogram latencies() {
    return latencies;
  }

  OperatorCounts counts(String operator) {
    return new OperatorCounts(
        operator,
        inputs.sum(),
        outputs.sum(),
        failures.sum(),
        cost.sum(),
        seconds.sum(),
        Math.max(0, running.sum()),
        batches(),
        cache());
  }
}

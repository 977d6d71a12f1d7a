package dev.abacus.topology.telemetry;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.BatchCounts;
import dev.abacus.schemas.control.CacheCounts;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.control.OperatorReuse;
import dev.abacus.schemas.monitor.LatencyHistogram;
import dev.abacus.topology.operator.OperatorOutcome;
import org.jspecify.annotations.Nullable;

/** Counts the work of one operator on live documents. Thread-safe. */
final class OperatorMeter {

  /** The number of the latest requests or documents at which they are halved. */
  private static final long MOST_REQUESTS = 2_000;

  /** Without the latest calls; guarded by this. */
  private OperatorCounts counts;

  /** The latest requests; guarded by this. */
  private OperatorReuse reuse;

  /** The latest calls for several documents; null before the first; guarded by this. */
  private @Nullable BatchCounts batches;

  /** What prompt caches took off the latest documents; null before the first; guarded by this. */
  private @Nullable CacheCounts cache;

  /** Null for a relational operator, whose time is that of this processor. */
  private final @Nullable LatencyHistogram latencies;

  OperatorMeter(String operator, boolean semantic) {
    this.counts = OperatorCounts.none(operator);
    this.reuse = new OperatorReuse(operator, 0, 0, 0, 0);
    this.latencies = semantic ? new LatencyHistogram() : null;
  }

  void started() {
    add(0, 0, 0, 0, 0, 1);
  }

  void stopped() {
    add(0, 0, 0, 0, 0, -1);
  }

  void finished(OperatorOutcome outcome) {
    double seconds = outcome.stats().latency();
    if (latencies != null) {
      latencies.add(seconds);
    }
    double usd = outcome.stats().cost();
    switch (outcome) {
      case OperatorOutcome.Kept kept -> add(1, kept.documents().size(), 0, usd, seconds, 0);
      case OperatorOutcome.Dropped _ -> add(1, 0, 0, usd, seconds, 0);
      case OperatorOutcome.Failed _ -> add(1, 0, 1, usd, seconds, 0);
    }
  }

  private synchronized void add(
      long inputs, long outputs, long failures, double usd, double seconds, long running) {
    counts =
        counts.plus(
            new OperatorCounts(
                counts.operator(), inputs, outputs, failures, usd, seconds, running, null, null));
  }

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

  /** The latest requests. */
  synchronized OperatorReuse reuse() {
    return reuse;
  }

  @Nullable LatencyHistogram latencies() {
    return latencies;
  }

  synchronized OperatorCounts counts() {
    return new OperatorCounts(counts.operator(), 0, 0, 0, 0, 0, 0, batches, cache).plus(counts);
  }
}

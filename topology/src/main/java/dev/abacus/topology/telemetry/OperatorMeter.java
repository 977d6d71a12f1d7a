package dev.abacus.topology.telemetry;

import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.monitor.LatencyHistogram;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the work of one operator on live documents. Thread-safe. */
final class OperatorMeter {

  private final LongAdder inputs = new LongAdder();
  private final LongAdder outputs = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final DoubleAdder cost = new DoubleAdder();
  private final DoubleAdder seconds = new DoubleAdder();
  private final LongAdder running = new LongAdder();

  /** Null for a relational operator, whose time is that of this processor. */
  private final @Nullable LatencyHistogram latencies;

  OperatorMeter(boolean semantic) {
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
        Math.max(0, running.sum()));
  }
}

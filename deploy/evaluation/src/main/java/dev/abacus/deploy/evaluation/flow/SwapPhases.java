package dev.abacus.deploy.evaluation.flow;

import static dev.abacus.deploy.evaluation.load.BenchmarkCluster.LONGEST_SILENCE;

import dev.abacus.deploy.evaluation.load.ArrivalTimes;
import dev.abacus.deploy.evaluation.load.DocumentFlow;
import dev.abacus.deploy.evaluation.load.PlanPublisher;
import dev.abacus.topology.control.ProgramPlans;
import java.time.Duration;

/** Runs the phases of the swap benchmark, with or without plan swaps. */
final class SwapPhases {

  /** A short poll, so that swaps and documents are sent on time. */
  private static final Duration LOOK = Duration.ofMillis(5);

  private final SwapOptions options;
  private final DocumentFlow flow;
  private final PlanPublisher swaps;

  SwapPhases(SwapOptions options, DocumentFlow flow, PlanPublisher swaps) {
    this.options = options;
    this.flow = flow;
    this.swaps = swaps;
  }

  /** Waits until the first plan arrives from the control topic. */
  void awaitPlan(ProgramPlans plans) {
    long deadline = System.nanoTime() + LONGEST_SILENCE.toNanos();
    while (plans.state().active() == null) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the first plan did not arrive from the control topic");
      }
      flow.look(LOOK);
    }
  }

  /** Runs one phase at full load; returns documents per second. */
  double fullLoad(boolean swapping) {
    flow.send(options.backlog() - flow.waiting());
    long deadline = System.nanoTime() + LONGEST_SILENCE.toNanos();
    // Measure only after the first results.
    while (!flow.look(LOOK)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("no results for " + LONGEST_SILENCE.toSeconds() + " s");
      }
    }
    ArrivalTimes arrivals = flow.restartArrivals();
    during(swapping, _ -> flow.send(options.backlog() - flow.waiting()));
    return arrivals.rate();
  }

  /** Runs one phase with swaps at a fixed rate of documents per second. */
  void paced(double perSecond) {
    long before = flow.sent();
    during(true, elapsed -> flow.send(Math.round(elapsed * perSecond) - (flow.sent() - before)));
  }

  private void during(boolean swapping, Feed feed) {
    long start = System.nanoTime();
    long swapped = start;
    long now = start;
    while (now - start < options.phase().toNanos()) {
      feed.after((now - start) / 1e9);
      if (swapping && now - swapped >= options.every().toNanos()) {
        swapped = now;
        swaps.next();
      }
      flow.look(LOOK);
      now = System.nanoTime();
    }
  }

  /** Sends the documents that are due after the given seconds of the phase. */
  private interface Feed {
    void after(double seconds);
  }

  /** Waits until every document has a result or a dead letter. */
  void drain() {
    flow.drain(LONGEST_SILENCE);
  }
}

package dev.abacus.deploy.evaluation.flow;

import static dev.abacus.deploy.evaluation.flow.SwapBenchmark.LONGEST_SILENCE;

import dev.abacus.topology.control.PlanSlot;
import java.time.Duration;

/** Lets documents flow for a while, with or without swaps of the plan. */
final class SwapPhases {

  /** Short, so that swaps come in time and documents evenly. */
  private static final Duration LOOK = Duration.ofMillis(5);

  private final SwapOptions options;
  private final DocumentFlow flow;
  private final PlanPublisher swaps;
  private final SwapObserver observations;

  SwapPhases(
      SwapOptions options, DocumentFlow flow, PlanPublisher swaps, SwapObserver observations) {
    this.options = options;
    this.flow = flow;
    this.swaps = swaps;
    this.observations = observations;
  }

  /** Waits until the first plan has come by the control topic. */
  void awaitPlan(PlanSlot slot) {
    long deadline = System.nanoTime() + LONGEST_SILENCE.toNanos();
    while (slot.state().active() == null) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the first plan has not come by the control topic");
      }
      flow.look(LOOK);
    }
  }

  /** As many documents as can be done; returns how many per second. */
  double fullLoad(boolean swapping) {
    flow.send(options.backlog() - flow.waiting());
    long deadline = System.nanoTime() + LONGEST_SILENCE.toNanos();
    // The first results show that it runs.
    while (!flow.look(LOOK)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("no results for " + LONGEST_SILENCE.toSeconds() + " s");
      }
    }
    ArrivalTimes arrivals = observations.restart();
    during(swapping, _ -> flow.send(options.backlog() - flow.waiting()));
    return arrivals.rate();
  }

  /** So many documents per second, with swaps. */
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

  /** Sends what is due so many seconds after the begin. */
  private interface Feed {
    void after(double seconds);
  }

  /** Waits until all that was sent has come out. */
  void drain() {
    flow.drain(LONGEST_SILENCE);
  }
}

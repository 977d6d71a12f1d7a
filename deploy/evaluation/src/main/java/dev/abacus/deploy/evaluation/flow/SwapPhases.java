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

  private final DocumentFlow flow;
  private final PlanPublisher swaps;
  private final long backlog;
  private final Duration every;
  private final Duration phase;

  /**
   * Creates the phases.
   *
   * @param backlog number of waiting documents at full load
   * @param every interval between activations
   * @param phase duration of each phase
   */
  SwapPhases(DocumentFlow flow, PlanPublisher swaps, long backlog, Duration every, Duration phase) {
    this.flow = flow;
    this.swaps = swaps;
    this.backlog = backlog;
    this.every = every;
    this.phase = phase;
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
    flow.send(backlog - flow.waiting());
    long deadline = System.nanoTime() + LONGEST_SILENCE.toNanos();
    // Measure only after the first results.
    while (!flow.look(LOOK)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("no results for " + LONGEST_SILENCE.toSeconds() + " s");
      }
    }
    ArrivalTimes arrivals = flow.restartArrivals();
    during(
        swapping,
        () -> {
          flow.send(backlog - flow.waiting());
          flow.look(LOOK);
        });
    return arrivals.rate();
  }

  /** Runs one phase with swaps at a fixed rate of documents per second. */
  void paced(double perSecond) {
    during(true, new PacedSender(flow, perSecond, LOOK)::turn);
  }

  private void during(boolean swapping, Runnable turn) {
    long start = System.nanoTime();
    long swapped = start;
    for (long now = start; now - start < phase.toNanos(); now = System.nanoTime()) {
      if (swapping && now - swapped >= every.toNanos()) {
        swapped = now;
        swaps.next();
      }
      turn.run();
    }
  }

  /** Waits until every document has a result or a dead letter. */
  void drain() {
    flow.drain(LONGEST_SILENCE);
  }
}

package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.DocumentFlow;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Sends documents at a fixed rate, independent of the rate of results. */
final class PacedSender {

  private final DocumentFlow flow;
  private final double perSecond;
  private final Duration look;
  private final long start = System.nanoTime();
  private final long sentBefore;

  /**
   * Starts the clock of the sender.
   *
   * @param perSecond documents per second
   * @param look longest poll for results between two sends
   */
  PacedSender(DocumentFlow flow, double perSecond, Duration look) {
    this.flow = flow;
    this.perSecond = perSecond;
    this.look = look;
    this.sentBefore = flow.sent();
  }

  /** Sends the documents that are due, and polls. */
  void turn() {
    double elapsed = (System.nanoTime() - start) / 1e9;
    flow.send(Math.round(elapsed * perSecond) - (flow.sent() - sentBefore));
    flow.look(look);
  }

  /**
   * Sends and polls until a condition holds.
   *
   * @param what name of the condition, for the error message
   * @throws IllegalStateException if the condition does not hold in time
   */
  void until(String what, BooleanSupplier condition, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "%s: timeout after %d s; %d of %d documents have a result"
                .formatted(what, patience.toSeconds(), flow.sent() - flow.waiting(), flow.sent()));
      }
      turn();
    }
  }

  /**
   * Sends and polls for the given time; returns the largest number of waiting documents in its
   * second half.
   */
  long during(Duration time) {
    long begin = System.nanoTime();
    long most = 0;
    for (long past = 0; past < time.toNanos(); past = System.nanoTime() - begin) {
      turn();
      most = past > time.toNanos() / 2 ? Math.max(most, flow.waiting()) : most;
    }
    return most;
  }
}

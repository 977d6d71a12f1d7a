package dev.abacus.deploy.evaluation.flow;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Sends so many documents per second, however slowly they come out. */
final class PacedSender {

  private final DocumentFlow flow;
  private final double perSecond;
  private final Duration look;
  private final long start = System.nanoTime();
  private final long sentBefore;

  /**
   * Begins.
   *
   * @param look how long results are waited for between two looks at what is due
   */
  PacedSender(DocumentFlow flow, double perSecond, Duration look) {
    this.flow = flow;
    this.perSecond = perSecond;
    this.look = look;
    this.sentBefore = flow.sent();
  }

  private void turn() {
    double elapsed = (System.nanoTime() - start) / 1e9;
    flow.send(Math.round(elapsed * perSecond) - (flow.sent() - sentBefore));
    flow.look(look);
  }

  /**
   * Goes on until something is so.
   *
   * @throws IllegalStateException if it is not in time
   */
  void until(String what, BooleanSupplier condition, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "%s: not within %d s; %d of %d documents have come out"
                .formatted(what, patience.toSeconds(), flow.sent() - flow.waiting(), flow.sent()));
      }
      turn();
    }
  }

  /** Goes on for a while; returns how many documents were waiting at most in its second half. */
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

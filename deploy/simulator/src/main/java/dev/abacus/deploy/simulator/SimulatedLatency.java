package dev.abacus.deploy.simulator;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Delays responses by the latency of the model; the waiting virtual thread is parked.
 *
 * @param speed divides every wait; infinite means no wait
 * @param fixed latency of every call instead of the modelled one, or null; also divided by speed
 * @param slow latency of a call with the fault {@code slow}
 */
record SimulatedLatency(double speed, @Nullable Duration fixed, Duration slow) {

  private static final double NANOS = 1e9;

  /** Waits until the latency has passed since the call began, in {@code nanoTime}. */
  void await(long began, double modelledSeconds) throws InterruptedException {
    double seconds = fixed == null ? modelledSeconds : fixed.toNanos() / NANOS;
    waitUntil(began, (long) (seconds / speed * NANOS));
  }

  /** Waits as long as a slow call, regardless of the speed. */
  void awaitSlow() throws InterruptedException {
    stall(slow);
  }

  /** Waits for a duration, regardless of the speed. */
  static void stall(Duration duration) throws InterruptedException {
    waitUntil(System.nanoTime(), duration.toNanos());
  }

  private static void waitUntil(long began, long nanos) throws InterruptedException {
    long left = nanos - (System.nanoTime() - began);
    if (left > 0) {
      Thread.sleep(Duration.ofNanos(left));
    }
  }
}

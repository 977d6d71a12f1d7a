package dev.abacus.deploy.simulator.server;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lets a call take its time, on a virtual thread that is parked meanwhile.
 *
 * @param speed divides all waiting; infinite for none
 * @param fixed latency of every call in place of the modelled one, or null; divided too
 */
record SimulatedLatency(double speed, @Nullable Duration fixed) {

  private static final double NANOS = 1e9;

  /** Waits until a call that began at a time (nanoseconds) has taken as long as the model would. */
  void await(long began, double modelledSeconds) throws InterruptedException {
    double seconds = fixed == null ? modelledSeconds : fixed.toNanos() / NANOS;
    waitUntil(began, (long) (seconds / speed * NANOS));
  }

  /** Waits for a duration, whatever the speed. */
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

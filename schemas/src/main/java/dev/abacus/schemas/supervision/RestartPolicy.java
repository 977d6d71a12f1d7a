package dev.abacus.schemas.supervision;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * When a failed thread tries again.
 *
 * @param firstPause pause after the first failure; it doubles with each further failure
 * @param longestPause longest pause
 * @param limit number of failures in succession after which the thread ends
 * @param outage whether a failure comes from outside, such as an unreachable broker; such failures
 *     never end the thread
 */
public record RestartPolicy(
    Duration firstPause, Duration longestPause, int limit, Predicate<Throwable> outage) {

  /** Pauses from 0.5 s to 30 s; a thread ends after 10 failures in succession: 3 minutes. */
  public static RestartPolicy standard(Predicate<Throwable> outage) {
    return new RestartPolicy(Duration.ofMillis(500), Duration.ofSeconds(30), 10, outage);
  }

  /** The same pauses without a limit. */
  RestartPolicy withoutLimit() {
    return new RestartPolicy(firstPause, longestPause, Integer.MAX_VALUE, outage);
  }

  /**
   * Whether a failure shows that the JVM cannot be trusted to continue: it has no memory, or a
   * library is damaged. A stack overflow is a failure of the work that caused it.
   */
  public static boolean showsBrokenJvm(Throwable failure) {
    return failure instanceof LinkageError
        || (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError));
  }

  boolean ends(Throwable failure, int inSuccession) {
    return showsBrokenJvm(failure)
        || failure instanceof ClockSetBackException
        || (inSuccession >= limit && !outage.test(failure));
  }

  /** The pause after this failure in succession; 1 is the first. */
  public Duration pause(int inSuccession) {
    Duration pause = firstPause.multipliedBy(1L << Math.min(inSuccession - 1, 20));
    return pause.compareTo(longestPause) < 0 ? pause : longestPause;
  }
}

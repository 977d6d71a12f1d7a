package dev.abacus.deploy.cli.run;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the time without a change after which {@code run} gives up. Calls that wait for a model
 * continue by themselves: unless the user states a time, they may wait without end.
 */
final class StallTimer {

  /** The time if the user states none. */
  static final Duration DEFAULT = Duration.ofMinutes(5);

  private final @Nullable Duration stated;
  private final LongSupplier nanos;
  private long lastChange;

  /**
   * Begins to measure.
   *
   * @param stated the time that the user states; null for {@link #DEFAULT}
   * @param nanos a clock such as {@link System#nanoTime}
   */
  StallTimer(@Nullable Duration stated, LongSupplier nanos) {
    this.stated = stated;
    this.nanos = nanos;
    lastChange = nanos.getAsLong();
  }

  /** Something changed now. */
  void changed() {
    lastChange = nanos.getAsLong();
  }

  /** The time since the last change. */
  Duration idle() {
    return Duration.ofNanos(nanos.getAsLong() - lastChange);
  }

  /**
   * Whether the time is over.
   *
   * @param waits whether calls, or the search, wait for a model that may answer by itself
   */
  boolean isOver(boolean waits) {
    if (stated != null) {
      return idle().compareTo(stated) > 0;
    }
    if (waits) {
      changed();
    }
    return idle().compareTo(DEFAULT) > 0;
  }
}

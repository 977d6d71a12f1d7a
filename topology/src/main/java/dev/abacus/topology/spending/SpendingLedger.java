package dev.abacus.topology.spending;

import java.util.HashMap;
import java.util.Map;

/**
 * The leases of a program's workers in the present window: a fold of the spending topic. The topic
 * has one partition, so every worker computes the same leases without a coordinator. The leases of
 * a worker that died remain until the window ends, so what it spent and did not report is within
 * the cap.
 *
 * <p>Windows start at multiples of their length since 1970 (UTC), by the time that the broker gives
 * to records. A clock that jumps forward opens the next window; after it jumps back, that window
 * remains open, so it has no second budget. It ends when a worker has measured its length with a
 * monotonic clock, so that a wrong clock cannot stop a program for longer than one window.
 *
 * <p>Compaction removes older records of a worker. A fold of the remaining ones grants at least as
 * much, so a worker that starts later never counts too little. Not thread-safe.
 */
final class SpendingLedger {

  /** A lease is at most this part of the cap, so a worker that dies wastes little. */
  private static final int LEASES_OF_CAP = 20;

  /** A lease is at most this part of what is left, so that the last money serves all workers. */
  private static final int LEASES_OF_REST = 4;

  private final Map<String, Amount> leases = new HashMap<>();
  private boolean open;
  private long windowMillis;
  private long window;
  private long serial;

  /**
   * Applies a record.
   *
   * @param time of the record, in milliseconds since 1970
   */
  void apply(SpendingRecord record, long time) {
    move(record, Math.floorDiv(time, record.windowMillis()) * record.windowMillis());
    Amount known = leases.get(record.instance());
    Amount held =
        record.window() != window
            ? known == null ? Amount.ZERO : known
            : known == null ? record.held() : known.min(record.held());
    leases.remove(record.instance());
    Amount left = record.cap().minus(leased()).minus(held);
    Amount grant =
        record.least().isWithin(left) && Amount.ZERO.isWithin(left)
            ? record.ask().min(left)
            : Amount.ZERO;
    leases.put(record.instance(), held.plus(grant));
  }

  private void move(SpendingRecord record, long start) {
    boolean other = open && record.windowMillis() != windowMillis;
    boolean elapsed = record.elapsed() != null && record.elapsed() == window && start < window;
    if (other) {
      // A change of the program: what is leased counts until the next window of the new length.
      windowMillis = record.windowMillis();
      window = start;
    } else if (!open || start > window || elapsed) {
      // The rest of a window that a clock returns to and the next one are one window.
      window = elapsed ? start + record.windowMillis() : start;
      open = true;
      windowMillis = record.windowMillis();
      serial++;
      leases.clear();
    }
  }

  /**
   * The lease that a worker asks for.
   *
   * @param rest of the cap that is not leased
   * @param need of the next call; if the rest suffices for it, the lease does
   */
  static Amount slice(Amount cap, Amount rest, Amount need) {
    return cap.dividedBy(LEASES_OF_CAP)
        .min(rest.dividedBy(LEASES_OF_REST))
        .max(need.min(rest))
        .max(Amount.ZERO)
        .limitedBy(cap);
  }

  /** All leases of the window. */
  Amount leased() {
    return leases.values().stream().reduce(Amount.ZERO, Amount::plus);
  }

  Amount leaseOf(String instance) {
    return leases.getOrDefault(instance, Amount.ZERO);
  }

  /** Start of the window, in milliseconds since 1970; 0 before the first. */
  long window() {
    return window;
  }

  /** End of the window, in milliseconds since 1970. */
  long end() {
    return window + windowMillis;
  }

  /** Number of windows so far; 0 before the first. */
  long serial() {
    return serial;
  }
}

package dev.abacus.topology.model.admission;

/**
 * Limits the calls in flight, as TCP limits its window (RFC 5681): after the first call and after
 * an outage it starts low and grows by one with each answer (slow start); a refusal lowers it by a
 * quarter, and from there it grows by one per round of answers. Without outage or refusal there is
 * no limit. Not thread-safe.
 */
final class ConcurrencyLimit {

  private static final double AT_START = 16;
  private static final double DECREASE = 0.75;

  /** Above this there is no limit; far above any number of documents in flight. */
  private static final double UNLIMITED = 10_000;

  private double limit = Double.POSITIVE_INFINITY;
  private double threshold = Double.POSITIVE_INFINITY;

  boolean admits(int inFlight) {
    return inFlight < limit;
  }

  void recovered() {
    limit = AT_START;
    threshold = Double.POSITIVE_INFINITY;
  }

  /** The endpoint refused a call because of its rate. */
  void refused(int inFlight) {
    limit = Math.max(1, DECREASE * Math.min(limit, inFlight));
    threshold = limit;
  }

  void answered() {
    limit += limit < threshold ? 1 : 1 / limit;
    if (limit > UNLIMITED) {
      limit = Double.POSITIVE_INFINITY;
    }
  }
}

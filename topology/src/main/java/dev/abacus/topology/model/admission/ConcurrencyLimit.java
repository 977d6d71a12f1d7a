package dev.abacus.topology.model.admission;

/**
 * Limits the calls in flight after the first call and after an outage, as TCP's slow start does
 * (RFC 5681): it starts low and grows by one with each answer. Not thread-safe.
 */
final class ConcurrencyLimit {

  private static final double AT_START = 16;

  /** Above this there is no limit; far above any number of documents in flight. */
  private static final double UNLIMITED = 10_000;

  private double limit = Double.POSITIVE_INFINITY;

  boolean admits(int inFlight) {
    return inFlight < limit;
  }

  void recovered() {
    limit = AT_START;
  }

  void answered() {
    limit = limit < UNLIMITED ? limit + 1 : Double.POSITIVE_INFINITY;
  }
}

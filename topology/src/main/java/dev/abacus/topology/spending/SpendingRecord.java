package dev.abacus.topology.spending;

import org.jspecify.annotations.Nullable;

/**
 * A statement of a worker on the spending topic: what it holds in a window, and what it asks for in
 * addition. The key is {@code <program>/<instance>}; the time of the record is that of the broker.
 *
 * @param instance unique name of the process and its start
 * @param sequence increases with each record of the instance
 * @param cap of the program in a window, as this worker knows it
 * @param windowMillis length of a window
 * @param window start of the window of {@code held}, in milliseconds since 1970
 * @param held leases of this worker in the window; less than before returns the difference
 * @param ask further lease; granted in part if less is left
 * @param least the least grant that is useful; less is not granted
 * @param elapsed a window of which the worker has measured, with a monotonic clock, that its whole
 *     length is over; null for none
 */
public record SpendingRecord(
    String program,
    String instance,
    long sequence,
    Amount cap,
    long windowMillis,
    long window,
    Amount held,
    Amount ask,
    Amount least,
    @Nullable Long elapsed) {

  public SpendingRecord {
    if (windowMillis < 1) {
      throw new IllegalArgumentException("window of " + windowMillis + " ms");
    }
    cap = valid(cap);
    held = valid(held);
    ask = valid(ask);
    least = valid(least);
  }

  private static Amount valid(Amount amount) {
    if (amount.nanoUsd() < 0
        || amount.tokens() < 0
        || amount.nanoUsd() > Amount.UNLIMITED
        || amount.tokens() > Amount.UNLIMITED) {
      throw new IllegalArgumentException("not an amount: " + amount);
    }
    return amount;
  }
}

package dev.abacus.optimizer.loop.event;

import java.time.Duration;
import java.time.Instant;

/**
 * The documents that arrive for a program.
 *
 * @param perSecond mean over {@link #COUNTED}, or since the first document; at least 0, infinite if
 *     unknown
 * @param waiting documents that are not finished
 */
public record Arrivals(double perSecond, long waiting) {

  /** Time of which arrivals are counted. */
  public static final Duration COUNTED = Duration.ofDays(30);

  /** An empty source says nothing about the documents to come. */
  public static final Arrivals UNKNOWN = new Arrivals(Double.POSITIVE_INFINITY, 0);

  /** With this many documents since the first one; it counts as a second old at least. */
  public static Arrivals since(Instant first, Instant now, long documents, long waiting) {
    double seconds = Math.max(1, Duration.between(first, now).toMillis() / 1000.0);
    return new Arrivals(documents / seconds, waiting);
  }

  /** The number of documents to come. */
  public double within(Duration time) {
    return waiting + perSecond * time.toSeconds();
  }

  /** Whether these are others than were known, as far as a decision is concerned. */
  public boolean differ(Arrivals known, double factor) {
    double now = Math.max(1, within(COUNTED));
    double before = Math.max(1, known.within(COUNTED));
    return now > factor * before || before > factor * now;
  }
}

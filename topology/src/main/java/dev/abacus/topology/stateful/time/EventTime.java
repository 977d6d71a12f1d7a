package dev.abacus.topology.stateful.time;

/** Event time in milliseconds since 1970, with arithmetic that does not overflow. */
public final class EventTime {

  /** Before the first watermark. */
  public static final long NONE = -1;

  private EventTime() {}

  /** The time minus a span in milliseconds; {@link #NONE} if that is before 1970. */
  public static long minus(long time, long millis) {
    return time < millis ? NONE : time - millis;
  }

  /** The time plus a span in milliseconds; {@link Long#MAX_VALUE} if that is too large. */
  public static long plus(long time, long millis) {
    return time > Long.MAX_VALUE - millis ? Long.MAX_VALUE : time + millis;
  }
}

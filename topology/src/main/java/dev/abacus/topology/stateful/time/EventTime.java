package dev.abacus.topology.stateful.time;

/** Event time in milliseconds since 1970, with arithmetic that does not overflow. */
public final class EventTime {

  /** Before the first watermark. */
  public static final long NONE = -1;

  /** The end of the input: every window is closed. */
  public static final long END = Long.MAX_VALUE;

  /** The latest time that a user can state, so that the end is always later. */
  public static final long LATEST = Long.MAX_VALUE / 4;

  private EventTime() {}

  /** Whether a time is the end, or the end minus the spans of operators. */
  public static boolean isEnd(long time) {
    return time > Long.MAX_VALUE / 2;
  }

  /** The time minus a span in milliseconds; {@link #NONE} if that is before 1970. */
  public static long minus(long time, long millis) {
    return time < millis ? NONE : time - millis;
  }

  /** The time plus a span in milliseconds; {@link Long#MAX_VALUE} if that is too large. */
  public static long plus(long time, long millis) {
    return time > Long.MAX_VALUE - millis ? Long.MAX_VALUE : time + millis;
  }
}

package dev.abacus.topology.stateful.aggregate;

import dev.abacus.schemas.program.Window;
import dev.abacus.topology.stateful.time.WatermarkTracker;
import java.util.ArrayList;
import java.util.List;

/** Which windows a timestamp lies in, and when they close. Milliseconds throughout. */
public final class WindowAssigner {

  private final Window window;
  private final long grace;

  WindowAssigner(Window window) {
    this.window = window;
    this.grace = window.grace().toMillis();
  }

  boolean sessions() {
    return window instanceof Window.Session;
  }

  /** Longest pause within a session. */
  long gap() {
    return window instanceof Window.Session session ? session.gap().toMillis() : 0;
  }

  /** Starts of the windows of fixed length that a timestamp lies in, the earliest first. */
  List<Long> starts(long timestamp) {
    long advance =
        switch (window) {
          case Window.Tumbling tumbling -> tumbling.size().toMillis();
          case Window.Hopping hopping -> hopping.advance().toMillis();
          case Window.Session _ -> throw new IllegalStateException("sessions have no fixed start");
        };
    List<Long> starts = new ArrayList<>();
    long last = timestamp - timestamp % advance;
    for (long start = last; start >= 0 && start > timestamp - size(); start -= advance) {
      starts.addFirst(start);
    }
    return starts;
  }

  /** The end of the window of fixed length that starts there. */
  long end(long start) {
    return WatermarkTracker.plus(start, size());
  }

  private long size() {
    return switch (window) {
      case Window.Tumbling tumbling -> tumbling.size().toMillis();
      case Window.Hopping hopping -> hopping.size().toMillis();
      case Window.Session _ -> 0;
    };
  }

  /**
   * The event time at which a window closes, as Kafka Streams has it: one of fixed length when its
   * end and the grace are reached, a session when they are passed, since a document that comes
   * exactly a gap later still belongs to it.
   */
  long closes(long end) {
    return sessions()
        ? WatermarkTracker.plus(end, gap() + grace + 1)
        : WatermarkTracker.plus(end, grace);
  }

  /** The timestamp of the output of a window with that end. */
  long outputTime(long end) {
    return sessions() ? end : end - 1;
  }

  /** What may still come out once the event time before the aggregate is this one. */
  long watermarkAfter(long time) {
    return WatermarkTracker.minus(time, grace + (sessions() ? gap() : 0));
  }
}

package dev.abacus.topology.stateful.aggregate;

import dev.abacus.schemas.program.Window;
import dev.abacus.topology.stateful.time.EventTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Assigns timestamps to windows and says when a window closes. All times are milliseconds since
 * 1970. Windows of fixed length include their start and exclude their end; a session includes the
 * timestamps of its first and last document.
 */
record WindowAssigner(Window window) {

  private long grace() {
    return window.grace().toMillis();
  }

  boolean sessions() {
    return window instanceof Window.Session;
  }

  /** Longest pause within a session; 0 for windows of fixed length. */
  long gap() {
    return window instanceof Window.Session session ? session.gap().toMillis() : 0;
  }

  /** Starts of the windows of fixed length that contain a timestamp, in ascending order. */
  List<Long> starts(long timestamp) {
    long advance =
        switch (window) {
          case Window.Tumbling tumbling -> tumbling.size().toMillis();
          case Window.Hopping hopping -> hopping.advance().toMillis();
          case Window.Session _ -> throw new IllegalStateException("a session has no fixed start");
        };
    List<Long> starts = new ArrayList<>();
    long last = timestamp - timestamp % advance;
    for (long start = last; start >= 0 && start > timestamp - size(); start -= advance) {
      starts.addFirst(start);
    }
    return starts;
  }

  /** The end of the window of fixed length with a start. */
  long end(long start) {
    return EventTime.plus(start, size());
  }

  private long size() {
    return switch (window) {
      case Window.Tumbling tumbling -> tumbling.size().toMillis();
      case Window.Hopping hopping -> hopping.size().toMillis();
      case Window.Session _ -> 0;
    };
  }

  /**
   * The event time at which a window closes, as in Kafka Streams: a window of fixed length at its
   * end plus grace, a session one millisecond after its end plus gap plus grace, because a document
   * exactly one gap later still belongs to it.
   */
  long closes(long end) {
    return sessions() ? EventTime.plus(end, gap() + grace() + 1) : EventTime.plus(end, grace());
  }

  /** The timestamp of the output of a window with an end. */
  long outputTimestamp(long end) {
    return sessions() ? end : end - 1;
  }

  /** The watermark of the aggregate's outputs at an event time of its inputs. */
  long outputWatermark(long eventTime) {
    return EventTime.minus(eventTime, grace() + gap());
  }
}

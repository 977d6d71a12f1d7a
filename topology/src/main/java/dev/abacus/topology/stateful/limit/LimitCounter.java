package dev.abacus.topology.stateful.limit;

import dev.abacus.schemas.program.Limit;
import dev.abacus.topology.stateful.time.OperatorStore;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Counts the documents that a limit admits, per window if it has one. The store maps the number of
 * a window, counted from 1970, to its count; a limit without windows uses window 0.
 */
record LimitCounter(Limit limit, KeyValueStore<Long, Long> counts) {

  /** Number of past windows that still admit documents. Older documents are dropped. */
  private static final int WINDOWS_KEPT = 1000;

  /** Counts that are removed at a time, so that a leap of event time does not take long. */
  private static final int MOST_EXPIRED = 1000;

  /** Counts a document and returns true if its window has fewer documents than the limit. */
  boolean admit(long timestamp, long eventTime) {
    long window = window(timestamp);
    if (window < oldestWindow(eventTime)) {
      return false;
    }
    @Nullable Long stored = counts.get(window);
    long count = stored == null ? 0 : stored;
    if (count >= limit.count()) {
      return false;
    }
    counts.put(window, count + 1);
    return true;
  }

  /** Removes counts of windows that admit no documents any more; the next calls remove the rest. */
  void expire(long eventTime) {
    long oldest = oldestWindow(eventTime);
    if (oldest <= 0) {
      return;
    }
    OperatorStore.first(counts.range(0L, oldest - 1), MOST_EXPIRED)
        .forEach(expired -> counts.delete(expired.key));
  }

  private long window(long timestamp) {
    return limit.window() == null ? 0 : timestamp / limit.window().toMillis();
  }

  private long oldestWindow(long eventTime) {
    return limit.window() == null ? 0 : window(Math.max(0, eventTime)) - WINDOWS_KEPT;
  }
}

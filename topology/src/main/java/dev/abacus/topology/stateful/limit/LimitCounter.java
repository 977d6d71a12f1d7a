package dev.abacus.topology.stateful.limit;

import dev.abacus.schemas.program.Limit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** Counts the documents that a limit let through, per window where it has one. */
public final class LimitCounter {

  private static final byte PREFIX = 'n';

  /** WindowAssigner whose count is kept; a document of an older one is too late to be counted. */
  private static final int WINDOWS_KEPT = 1000;

  private final Limit limit;
  private final KeyValueStore<Bytes, byte[]> store;

  public LimitCounter(Limit limit, KeyValueStore<Bytes, byte[]> store) {
    this.limit = limit;
    this.store = store;
  }

  /** Whether a document with this timestamp is among the first; then it is counted. */
  public boolean admit(long timestamp, long watermark) {
    long window = window(timestamp);
    if (window < oldest(watermark)) {
      return false;
    }
    byte[] stored = store.get(key(window));
    long count = stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
    if (count >= limit.count()) {
      return false;
    }
    store.put(key(window), ByteBuffer.allocate(8).putLong(count + 1).array());
    return true;
  }

  /** Forgets the windows that no document can be in any more. */
  public void expire(long watermark) {
    long oldest = oldest(watermark);
    if (oldest <= 0) {
      return;
    }
    List<Bytes> gone = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> old = store.range(key(0), key(oldest - 1))) {
      old.forEachRemaining(entry -> gone.add(entry.key));
    }
    gone.forEach(key -> store.put(key, null));
  }

  private long window(long timestamp) {
    return limit.window() == null ? 0 : timestamp / limit.window().toMillis();
  }

  private long oldest(long watermark) {
    return limit.window() == null ? 0 : window(Math.max(0, watermark)) - WINDOWS_KEPT;
  }

  private static Bytes key(long window) {
    return Bytes.wrap(ByteBuffer.allocate(9).put(PREFIX).putLong(window).array());
  }
}

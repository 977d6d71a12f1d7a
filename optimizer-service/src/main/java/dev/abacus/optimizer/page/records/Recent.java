package dev.abacus.optimizer.page.records;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last records of a topic, as many as a number and a size allow. */
final class Recent<T> {

  /** Records that are kept. */
  static final int MOST = 200;

  /** Bytes of the records that are kept. */
  private static final long MOST_BYTES = 16L << 20;

  private final Deque<Kept<T>> kept = new ArrayDeque<>();
  private long bytes;

  private record Kept<T>(T item, int bytes) {}

  void add(T item, byte[] record) {
    kept.addFirst(new Kept<>(item, record.length));
    bytes += record.length;
    while (kept.size() > MOST || (bytes > MOST_BYTES && kept.size() > 1)) {
      bytes -= kept.removeLast().bytes();
    }
  }

  /** The latest first. */
  List<T> items() {
    return kept.stream().map(Kept::item).toList();
  }
}

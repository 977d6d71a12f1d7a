package dev.abacus.topology.runtime;

import dev.abacus.schemas.program.Settings.Ordering;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Orders completions by key: an item is released when all earlier items of its key are released.
 * Work on items of one key runs concurrently, so a hot key costs memory and not throughput. Items
 * without a key, and all items under {@link Ordering#NONE}, are released at once.
 */
final class KeyOrder {
  /** Memory of an item besides its outputs, rounded up. */
  private static final long ITEM_BYTES = 1024;

  private final boolean ordered;
  private final Map<Bytes, Deque<WorkItem>> queues = new HashMap<>();

  /** Completed items that are not released, and their bytes in memory. */
  private int delayed;

  private long delayedBytes;

  KeyOrder(Ordering ordering) {
    ordered = ordering == Ordering.KEY;
  }

  /** Whether records with this key are ordered. */
  boolean isOrdered(byte @Nullable [] key) {
    return ordered && key != null;
  }

  /** Whether an item with this key is not released yet. */
  boolean contains(byte[] key) {
    return queues.containsKey(Bytes.wrap(key));
  }

  /** Adds an item. Call it in the order of admission. */
  void add(WorkItem item) {
    Bytes key = item.key();
    if (ordered && key != null) {
      queues.computeIfAbsent(key, _ -> new ArrayDeque<>(1)).addLast(item);
    }
  }

  /** Returns the items that this completed item releases, in order, itself included. */
  List<WorkItem> release(WorkItem completed) {
    Bytes key = completed.key();
    if (!ordered || key == null) {
      return List.of(completed);
    }
    Deque<WorkItem> queue = queues.get(key);
    delay(completed, 1);
    if (queue == null || queue.getFirst() != completed) {
      return List.of();
    }
    List<WorkItem> released = new ArrayList<>();
    for (WorkItem head = completed; head != null && head.isDone(); head = queue.peekFirst()) {
      released.add(queue.removeFirst());
      delay(head, -1);
    }
    if (queue.isEmpty()) {
      queues.remove(key);
    }
    return released;
  }

  private void delay(WorkItem item, int items) {
    delayed += items;
    delayedBytes += items * ITEM_BYTES;
    for (OutputRecord output : item.completion().outputs()) {
      delayedBytes += (long) items * output.size();
    }
  }

  /**
   * Number of completed items that earlier items of their keys delay; so many of them as take at
   * most {@code bytes} of memory together.
   */
  int delayed(long bytes) {
    return delayedBytes <= bytes ? delayed : (int) (delayed * ((double) bytes / delayedBytes));
  }
}

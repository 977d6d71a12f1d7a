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
 * Keeps results of one key in the order in which their records came. Work on records of one key
 * runs at the same time; a result that is done before its turn waits here. So a hot key costs
 * memory, not throughput. Records without a key, and all with {@link Ordering#NONE}, wait for
 * nothing.
 */
final class KeyOrder {
  private final boolean ordered;
  private final Map<Bytes, Deque<Live>> lanes = new HashMap<>();

  KeyOrder(Ordering ordering) {
    ordered = ordering == Ordering.KEY;
  }

  /** Whether records with this key have to keep an order at all. */
  boolean ordered(byte @Nullable [] key) {
    return ordered && key != null;
  }

  /** Whether nothing stands in the lane of this key. */
  boolean free(byte[] key) {
    return !lanes.containsKey(Bytes.wrap(key));
  }

  /** Puts a record at the end of its lane. Must be called in order of input. */
  void enter(Live live) {
    Bytes lane = live.lane();
    if (ordered && lane != null) {
      lanes.computeIfAbsent(lane, key -> new ArrayDeque<>(1)).addLast(live);
    }
  }

  /** The record got its completion: returns the records that may leave now, in order. */
  List<Live> completed(Live live) {
    Bytes key = live.lane();
    if (!ordered || key == null) {
      return List.of(live);
    }
    Deque<Live> lane = lanes.get(key);
    if (lane == null || lane.getFirst() != live) {
      return List.of();
    }
    List<Live> leaving = new ArrayList<>();
    for (Live head = live; head != null && head.completion() != null; head = lane.peekFirst()) {
      leaving.add(lane.removeFirst());
    }
    if (lane.isEmpty()) {
      lanes.remove(key);
    }
    return leaving;
  }
}

package dev.abacus.topology.reference.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Compares the query with every vector. Nothing is missed, changes are seen at once, and time grows
 * with the number of vectors: the right choice up to about twenty thousand.
 */
public final class ExactIndex implements VectorIndex {

  private final int dimensions;
  private final List<VectorBlock> blocks = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();
  private final Map<String, Integer> slots = new HashMap<>();
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** An empty index of vectors with so many components. */
  public ExactIndex(int dimensions) {
    this.dimensions = dimensions;
  }

  @Override
  public void put(String key, float[] unit) {
    requireDimensions(unit);
    within(
        lock.writeLock(),
        () -> {
          Integer known = slots.get(key);
          int slot = known == null ? append(key) : known;
          blocks.get(slot / VectorBlock.LANES).set(slot % VectorBlock.LANES, unit);
        });
  }

  private int append(String key) {
    int slot = keys.size();
    keys.add(key);
    slots.put(key, slot);
    if (slot / VectorBlock.LANES == blocks.size()) {
      blocks.add(new VectorBlock(dimensions));
    }
    return slot;
  }

  /** The last vector takes the place of the one that goes, so that there are no holes. */
  @Override
  public void remove(String key) {
    within(
        lock.writeLock(),
        () -> {
          Integer slot = slots.remove(key);
          if (slot == null) {
            return;
          }
          int last = keys.size() - 1;
          String moved = keys.remove(last);
          if (slot != last) {
            keys.set(slot, moved);
            slots.put(moved, slot);
            blocks
                .get(slot / VectorBlock.LANES)
                .set(
                    slot % VectorBlock.LANES,
                    blocks.get(last / VectorBlock.LANES).get(last % VectorBlock.LANES));
          }
          if (last % VectorBlock.LANES == 0) {
            blocks.removeLast();
          }
        });
  }

  @Override
  public int size() {
    lock.readLock().lock();
    try {
      return keys.size();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** All keys, in no order. */
  List<String> keys() {
    lock.readLock().lock();
    try {
      return List.copyOf(keys);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public float @Nullable [] find(String key) {
    lock.readLock().lock();
    try {
      Integer slot = slots.get(key);
      return slot == null
          ? null
          : blocks.get(slot / VectorBlock.LANES).get(slot % VectorBlock.LANES);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public List<Neighbour> nearest(float[] unit, int k) {
    // The worst on top, so that it can make room.
    PriorityQueue<Neighbour> best = new PriorityQueue<>(k, Neighbour.BEST_FIRST.reversed());
    scan(
        unit,
        (key, similarity) -> {
          if (best.size() < k) {
            best.add(new Neighbour(key, similarity));
            return best.size() < k ? Float.NEGATIVE_INFINITY : worst(best);
          }
          Neighbour candidate = new Neighbour(key, similarity);
          if (Neighbour.BEST_FIRST.compare(candidate, best.element()) < 0) {
            best.remove();
            best.add(candidate);
          }
          return worst(best);
        });
    return best.stream().sorted(Neighbour.BEST_FIRST).toList();
  }

  private static float worst(PriorityQueue<Neighbour> best) {
    return (float) best.element().similarity();
  }

  @Override
  public List<Neighbour> atLeast(float[] unit, double similarity) {
    List<Neighbour> found = new ArrayList<>();
    scan(
        unit,
        (key, value) -> {
          if (value >= similarity) {
            found.add(new Neighbour(key, value));
          }
          return (float) similarity - 1e-6f;
        });
    found.sort(Neighbour.BEST_FIRST);
    return found;
  }

  /** Takes a vector that may matter. */
  @FunctionalInterface
  private interface Visitor {
    /** Returns the similarity below which no further vector needs to be shown. */
    float visit(String key, float similarity);
  }

  private void scan(float[] query, Visitor visitor) {
    requireDimensions(query);
    float[] sums = new float[VectorBlock.LANES];
    within(
        lock.readLock(),
        () -> {
          float least = Float.NEGATIVE_INFINITY;
          for (int from = 0; from < keys.size(); from += VectorBlock.LANES) {
            blocks.get(from / VectorBlock.LANES).dot(query, sums);
            int lanes = Math.min(VectorBlock.LANES, keys.size() - from);
            for (int lane = 0; lane < lanes; lane++) {
              if (sums[lane] >= least) {
                least = visitor.visit(keys.get(from + lane), sums[lane]);
              }
            }
          }
        });
  }

  private void requireDimensions(float[] vector) {
    if (vector.length != dimensions) {
      throw new IllegalArgumentException(
          "a vector of %d dimensions among vectors of %d".formatted(vector.length, dimensions));
    }
  }

  private static void within(Lock held, Runnable action) {
    held.lock();
    try {
      action.run();
    } finally {
      held.unlock();
    }
  }
}

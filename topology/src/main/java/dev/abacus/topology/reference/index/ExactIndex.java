package dev.abacus.topology.reference.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares the query with every vector. Nothing is missed, changes are seen at once, and time grows
 * with the number of vectors: the right choice up to about twenty thousand.
 *
 * <p>A first look at one byte per component leaves those that may be good enough ({@link
 * QuantizedBlock}); their similarity is then computed from the vectors themselves. The answer is
 * the same as without the first look, which only saves the reading of most vectors.
 */
public final class ExactIndex implements VectorIndex {

  private final int dimensions;
  private final List<String> keys = new ArrayList<>();
  private final List<float[]> vectors = new ArrayList<>();
  private final List<QuantizedBlock> blocks = new ArrayList<>();
  private final Map<String, Integer> slots = new HashMap<>();
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** An empty index of vectors with so many components. */
  public ExactIndex(int dimensions) {
    this.dimensions = dimensions;
  }

  @Override
  public void put(String key, float[] unit) {
    requireDimensions(unit);
    float[] vector = unit.clone();
    within(
        lock.writeLock(),
        () -> {
          Integer known = slots.get(key);
          int slot = known == null ? append(key) : known;
          vectors.set(slot, vector);
          block(slot).set(lane(slot), vector);
          return slot;
        });
  }

  private int append(String key) {
    int slot = keys.size();
    keys.add(key);
    vectors.add(new float[0]);
    slots.put(key, slot);
    if (lane(slot) == 0) {
      blocks.add(new QuantizedBlock(dimensions));
    }
    return slot;
  }

  private QuantizedBlock block(int slot) {
    return blocks.get(slot / QuantizedBlock.LANES);
  }

  private static int lane(int slot) {
    return slot % QuantizedBlock.LANES;
  }

  /** The last vector takes the place of the one that goes, so that there are no holes. */
  @Override
  public void remove(String key) {
    within(
        lock.writeLock(),
        () -> {
          Integer slot = slots.remove(key);
          if (slot == null) {
            return false;
          }
          int last = keys.size() - 1;
          String moved = keys.remove(last);
          float[] vector = vectors.remove(last);
          if (slot != last) {
            keys.set(slot, moved);
            slots.put(moved, slot);
            vectors.set(slot, vector);
            block(slot).set(lane(slot), block(last), lane(last));
          }
          if (lane(last) == 0) {
            blocks.removeLast();
          }
          return true;
        });
  }

  @Override
  public int size() {
    return within(lock.readLock(), keys::size);
  }

  /** All keys, in no order. */
  List<String> keys() {
    return within(lock.readLock(), () -> List.copyOf(keys));
  }

  @Override
  public float @Nullable [] find(String key) {
    lock.readLock().lock();
    try {
      Integer slot = slots.get(key);
      return slot == null ? null : vectors.get(slot).clone();
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public List<Neighbour> nearest(float[] unit, int k) {
    requireDimensions(unit);
    return within(
        lock.readLock(),
        () -> k < keys.size() ? best(unit, k) : atLeast(unit, k, Double.NEGATIVE_INFINITY));
  }

  private List<Neighbour> best(float[] query, int k) {
    // The worst on top, so that it can make room.
    PriorityQueue<Neighbour> best = new PriorityQueue<>(k + 1, Neighbour.BEST_FIRST.reversed());
    for (long entry : shortlist(query, k)) {
      if (best.size() == k && Shortlist.upper(entry) < best.element().similarity()) {
        break;
      }
      int slot = Shortlist.slot(entry);
      double similarity = dot(query, vectors.get(slot));
      if (!Double.isNaN(similarity)) {
        best.add(new Neighbour(keys.get(slot), similarity));
        if (best.size() > k) {
          best.remove();
        }
      }
    }
    return best.stream().sorted(Neighbour.BEST_FIRST).toList();
  }

  private long[] shortlist(float[] query, int k) {
    QuantizedQuery quantized = new QuantizedQuery(query);
    QuantizedBlock.Bounds bounds = new QuantizedBlock.Bounds();
    Shortlist shortlist = new Shortlist(k);
    for (int from = 0; from < keys.size(); from += QuantizedBlock.LANES) {
      block(from).bounds(quantized, bounds);
      shortlist.add(bounds, from, Math.min(QuantizedBlock.LANES, keys.size() - from));
    }
    return shortlist.sorted();
  }

  @Override
  public List<Neighbour> atLeast(float[] unit, double similarity) {
    requireDimensions(unit);
    return within(lock.readLock(), () -> atLeast(unit, Integer.MAX_VALUE, similarity));
  }

  private List<Neighbour> atLeast(float[] query, int most, double least) {
    List<Neighbour> found = new ArrayList<>();
    QuantizedQuery quantized = new QuantizedQuery(query);
    QuantizedBlock.Bounds bounds = new QuantizedBlock.Bounds();
    for (int from = 0; from < keys.size(); from += QuantizedBlock.LANES) {
      block(from).bounds(quantized, bounds);
      int lanes = Math.min(QuantizedBlock.LANES, keys.size() - from);
      for (int lane = 0; lane < lanes; lane++) {
        double similarity =
            bounds.upper(lane) < least ? Double.NaN : dot(query, vectors.get(from + lane));
        if (similarity >= least) {
          found.add(new Neighbour(keys.get(from + lane), similarity));
        }
      }
    }
    return found.stream().sorted(Neighbour.BEST_FIRST).limit(most).toList();
  }

  /** In one order of additions for all, so that equal vectors are equally similar. */
  private static double dot(float[] one, float[] other) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int d = 0;
    for (; d + 4 <= one.length; d += 4) {
      sum0 += (double) one[d] * other[d];
      sum1 += (double) one[d + 1] * other[d + 1];
      sum2 += (double) one[d + 2] * other[d + 2];
      sum3 += (double) one[d + 3] * other[d + 3];
    }
    for (; d < one.length; d++) {
      sum0 += (double) one[d] * other[d];
    }
    return (sum0 + sum1) + (sum2 + sum3);
  }

  private void requireDimensions(float[] vector) {
    if (vector.length != dimensions) {
      throw new IllegalArgumentException(
          "a vector of %d dimensions among vectors of %d".formatted(vector.length, dimensions));
    }
  }

  private static <T> T within(Lock held, Supplier<T> action) {
    held.lock();
    try {
      return action.get();
    } finally {
      held.unlock();
    }
  }
}

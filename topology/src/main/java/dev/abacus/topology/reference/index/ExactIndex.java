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
import org.apache.lucene.util.VectorUtil;
import org.jspecify.annotations.Nullable;

/**
 * Compares the query with every vector: exact, with changes visible immediately. The time of a
 * search grows with the number of vectors, so this is the index up to about 20,000 vectors.
 *
 * <p>A first pass computes all dot products with Lucene's {@link VectorUtil}, in 32-bit floats. A
 * second pass recomputes in doubles those that can belong to the result, given the bound of the
 * floats' rounding error: {@code |float − exact| ≤ γ |q| |v|}, {@code γ = n u / (1 − n u)}, for n
 * dimensions and {@code u = 2⁻²⁴} (Higham, Accuracy and Stability of Numerical Algorithms, section
 * 3.1). It holds for every order of additions, so results do not depend on the CPU.
 */
public final class ExactIndex implements VectorIndex {

  /** Unit roundoff of 32-bit floats. */
  private static final double UNIT_ROUNDOFF = 0x1p-24;

  /** Products below this do not overflow in floats, rounding included. */
  private static final double FLOAT_RANGE = 1e38;

  /** Added to each bound for products that underflow. */
  private static final double UNDERFLOW = 1e-30;

  /** A vector with its length. */
  @SuppressWarnings("ArrayRecordComponent") // Entries are never compared.
  private record Entry(String key, float[] vector, double norm) {}

  private final int dimensions;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Integer> slots = new HashMap<>();
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** An empty index for vectors of this many dimensions. */
  public ExactIndex(int dimensions) {
    this.dimensions = dimensions;
  }

  @Override
  public void put(String key, float[] unit) {
    requireDimensions(unit);
    float[] vector = unit.clone();
    Entry entry = new Entry(key, vector, norm(vector));
    within(
        lock.writeLock(),
        () -> {
          Integer slot = slots.putIfAbsent(key, entries.size());
          return slot == null ? entries.add(entry) : entries.set(slot, entry) != null;
        });
  }

  /** Moves the last vector to the slot of the removed one, so that all slots stay in use. */
  @Override
  public void remove(String key) {
    within(
        lock.writeLock(),
        () -> {
          Integer slot = slots.remove(key);
          if (slot == null) {
            return false;
          }
          Entry last = entries.removeLast();
          if (slot < entries.size()) {
            entries.set(slot, last);
            slots.put(last.key(), slot);
          }
          return true;
        });
  }

  @Override
  public int size() {
    return within(lock.readLock(), entries::size);
  }

  /** All keys, in no particular order. */
  List<String> keys() {
    return within(lock.readLock(), () -> List.copyOf(slots.keySet()));
  }

  @Override
  public float @Nullable [] find(String key) {
    lock.readLock().lock();
    try {
      Integer slot = slots.get(key);
      return slot == null ? null : entries.get(slot).vector().clone();
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public List<Neighbour> nearest(float[] unit, int k) {
    requireDimensions(unit);
    return within(
        lock.readLock(),
        () -> {
          Scan scan = scan(unit);
          return found(unit, scan, scan.lowerBoundOfBest(k)).stream().limit(k).toList();
        });
  }

  @Override
  public List<Neighbour> atLeast(float[] unit, double similarity) {
    requireDimensions(unit);
    return within(lock.readLock(), () -> found(unit, scan(unit), similarity));
  }

  private Scan scan(float[] query) {
    double length = norm(query);
    float[] products = new float[entries.size()];
    for (int slot = 0; slot < products.length; slot++) {
      Entry entry = entries.get(slot);
      // Lucene requires a finite product; no partial sum exceeds the product of the lengths.
      products[slot] =
          length * entry.norm() < FLOAT_RANGE
              ? VectorUtil.dotProduct(query, entry.vector())
              : Float.NaN;
    }
    double rounding = dimensions * UNIT_ROUNDOFF;
    return new Scan(products, rounding / (1 - rounding) * length * (1 + 1e-9));
  }

  /** The exact similarities that are at least {@code least}, best first; NaN is left out. */
  private List<Neighbour> found(float[] query, Scan scan, double least) {
    List<Neighbour> found = new ArrayList<>();
    for (int slot = 0; slot < entries.size(); slot++) {
      if (scan.mayReach(slot, least)) {
        double similarity = dot(query, entries.get(slot).vector());
        if (similarity >= least) {
          found.add(new Neighbour(entries.get(slot).key(), similarity));
        }
      }
    }
    found.sort(Neighbour.BEST_FIRST);
    return found;
  }

  /** The dot products of a query in floats, and their error bound for vectors of length 1. */
  private final class Scan {

    private final float[] products;
    private final double error;

    Scan(float[] products, double error) {
      this.products = products;
      this.error = error;
    }

    private double slack(int slot) {
      return error * entries.get(slot).norm() + UNDERFLOW;
    }

    /**
     * Whether the exact product can be at least {@code least}; true if it is not known in floats.
     */
    boolean mayReach(int slot, double least) {
      return !(products[slot] + slack(slot) < least) || !Float.isFinite(products[slot]);
    }

    /** A value that k exact products reach; negative infinity if there may be fewer. */
    double lowerBoundOfBest(int k) {
      PriorityQueue<Double> best = new PriorityQueue<>();
      double least = Double.NEGATIVE_INFINITY;
      for (int slot = 0; slot < products.length; slot++) {
        double lower = products[slot] - slack(slot);
        if (Double.isFinite(lower) && (best.size() < k || lower > least)) {
          best.add(lower);
          if (best.size() > k) {
            best.remove();
          }
          least = best.size() == k ? best.element() : least;
        }
      }
      return least;
    }
  }

  private static double norm(float[] vector) {
    return Math.sqrt(dot(vector, vector));
  }

  /** Adds in a fixed order, so that equal vectors have equal similarities. */
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

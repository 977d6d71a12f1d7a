package dev.abacus.schemas.monitor;

import java.util.Arrays;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts durations in buckets from 5 ms to 2 minutes. Thread-safe. */
public final class LatencyHistogram {

  /** Upper bounds of the buckets, in seconds; a further bucket has no bound. */
  private static final double[] BOUNDS = {
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120
  };

  private final LongAdder[] counts =
      Stream.generate(LongAdder::new).limit(BOUNDS.length + 1L).toArray(LongAdder[]::new);
  private final DoubleAdder sum = new DoubleAdder();

  /** Adds a duration in seconds. */
  public void add(double seconds) {
    int bucket = 0;
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    sum.add(seconds);
  }

  double[] upperBounds() {
    double[] bounds = Arrays.copyOf(BOUNDS, BOUNDS.length + 1);
    bounds[BOUNDS.length] = Double.POSITIVE_INFINITY;
    return bounds;
  }

  long[] counts() {
    return Stream.of(counts).mapToLong(LongAdder::sum).toArray();
  }

  double sum() {
    return sum.sum();
  }
}

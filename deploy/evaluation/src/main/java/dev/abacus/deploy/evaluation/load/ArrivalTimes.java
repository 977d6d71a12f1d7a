package dev.abacus.deploy.evaluation.load;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Records the arrival times of results, in order. */
public final class ArrivalTimes {

  private final List<Long> nanos = new ArrayList<>();

  /**
   * Records one arrival.
   *
   * @param at value of {@link System#nanoTime}
   */
  public void add(long at) {
    nanos.add(at);
  }

  public int count() {
    return nanos.size();
  }

  /** Returns the seconds from the first to the last arrival; at least one is required. */
  public double seconds() {
    return secondsSince(nanos.getFirst());
  }

  /** Returns the seconds from a {@link System#nanoTime} to the last arrival. */
  public double secondsSince(long time) {
    return (nanos.getLast() - time) / 1e9;
  }

  /**
   * Returns results per second between the first and the last tenth of the arrivals, which excludes
   * start and end. The rate is the slope of a least-squares line: results appear one commit at a
   * time, so a rate between two single arrivals depends on the choice of these two.
   */
  public double steadyRate() {
    return slope(nanos.size() / 10, nanos.size() - nanos.size() / 10);
  }

  /** Returns results per second over all arrivals, including start and end. */
  public double rate() {
    return slope(0, nanos.size());
  }

  private double slope(int from, int to) {
    long first = nanos.isEmpty() ? 0 : nanos.getFirst();
    return Statistics.slope(
        nanos.subList(from, to).stream().mapToDouble(at -> (at - first) / 1e9).toArray(),
        IntStream.range(from, to).asDoubleStream().toArray());
  }
}

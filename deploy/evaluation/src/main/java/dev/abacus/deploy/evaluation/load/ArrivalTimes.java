package dev.abacus.deploy.evaluation.load;

import java.util.ArrayList;
import java.util.List;

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
    return (nanos.getLast() - nanos.getFirst()) / 1e9;
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
    double meanTime = 0;
    double meanCount = 0;
    for (int i = from; i < to; i++) {
      meanTime += (nanos.get(i) - nanos.get(from)) / 1e9 / (to - from);
      meanCount += (double) i / (to - from);
    }
    double covariance = 0;
    double variance = 0;
    for (int i = from; i < to; i++) {
      double time = (nanos.get(i) - nanos.get(from)) / 1e9 - meanTime;
      covariance += time * (i - meanCount);
      variance += time * time;
    }
    return variance == 0 ? 0 : covariance / variance;
  }
}

package dev.abacus.deploy.evaluation.flow;

import java.util.ArrayList;
import java.util.List;

/** When results were seen, in order. */
public final class ArrivalTimes {

  private final List<Long> nanos = new ArrayList<>();

  /** None yet. */
  public ArrivalTimes() {}

  /**
   * One more.
   *
   * @param at {@link System#nanoTime}
   */
  public void add(long at) {
    nanos.add(at);
  }

  public int count() {
    return nanos.size();
  }

  /** {@link System#nanoTime} of the first; there must be one. */
  public long first() {
    return nanos.getFirst();
  }

  /** Seconds from the first to the last; there must be one. */
  public double seconds() {
    return (nanos.getLast() - nanos.getFirst()) / 1e9;
  }

  /**
   * Per second between the first and the last tenth, which leaves out start and end. It is the
   * slope of the line that fits best: results appear a commit at a time, so that a rate between two
   * of them would depend on which two.
   */
  public double steadyRate() {
    return slope(nanos.size() / 10, nanos.size() - nanos.size() / 10);
  }

  /** As {@link #steadyRate}, with start and end. */
  double rate() {
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

package dev.abacus.deploy.evaluation.flow;

import java.util.List;

/**
 * How long something took, of several times.
 *
 * @param times that it was measured
 * @param medianMillis 0 if it was never measured
 * @param worstMillis 0 if it was never measured
 */
public record Delay(int times, double medianMillis, double worstMillis) {

  /** Of so many nanoseconds each. */
  static Delay ofNanos(List<Long> nanos) {
    if (nanos.isEmpty()) {
      return new Delay(0, 0, 0);
    }
    List<Long> sorted = nanos.stream().sorted().toList();
    int half = sorted.size() / 2;
    double median =
        sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2.0;
    return new Delay(sorted.size(), median / 1e6, sorted.getLast() / 1e6);
  }
}

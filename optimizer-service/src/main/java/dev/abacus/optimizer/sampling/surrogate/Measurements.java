package dev.abacus.optimizer.sampling.surrogate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measurements of one metric. */
record Measurements(List<Value> values) {

  /**
   * A value of one arm on one example, or the mean of the values of one call for several documents.
   *
   * @param arm index of the arm
   * @param examples indexes of the examples of the values, in ascending order
   * @param call index of the call for several documents; negative if it had calls of its own
   * @param judged whether it is a score of the judge
   * @param value measured value
   * @param rest part of its deviation, by its examples and by noise, that is left: 1 for what was
   *     not moved
   * @param noise factor of the variance of the noise
   */
  record Value(
      int arm,
      List<Integer> examples,
      int call,
      boolean judged,
      double value,
      double rest,
      double noise) {

    /** A value with the noise of all. */
    Value(int arm, List<Integer> examples, int call, boolean judged, double value, double rest) {
      this(arm, examples, call, judged, value, rest, 1);
    }

    /** The value at another distance from a centre. */
    Value stretched(double centre, double factor, double ofNoise) {
      return new Value(
          arm, examples, call, judged, centre + factor * (value - centre), rest, ofNoise);
    }

    /** The variance of its noise, in units of that of one score. */
    double noiseVariance() {
      return noise * rest * rest / examples.size();
    }

    /** The mean of the values of a call. */
    private static Value mean(List<Value> ofCall) {
      Value first = ofCall.getFirst();
      return new Value(
          first.arm,
          ofCall.stream().map(one -> one.examples.getFirst()).sorted().toList(),
          first.call,
          first.judged,
          ofCall.stream().mapToDouble(Value::value).average().orElse(0),
          first.rest);
    }

    /** Whether it is of a call for several documents. */
    boolean isShared() {
      return call >= 0;
    }

    /** The mean over pairs of values of two measurements of whether they are of one example. */
    double overlap(Value other) {
      int common = 0;
      for (int i = 0, j = 0; i < examples.size() && j < other.examples.size(); ) {
        int order = Integer.compare(examples.get(i), other.examples.get(j));
        common += order == 0 ? 1 : 0;
        i += order <= 0 ? 1 : 0;
        j += order >= 0 ? 1 : 0;
      }
      return (double) common / examples.size() / other.examples.size();
    }
  }

  /** These measurements with one, the mean, for those of each call for several documents. */
  Measurements byCall() {
    Map<List<Integer>, List<Value>> groups = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      Value one = values.get(i);
      int own = one.isShared() ? one.call() : -1 - i;
      groups.computeIfAbsent(List.of(one.arm(), own), _ -> new ArrayList<>()).add(one);
    }
    return new Measurements(groups.values().stream().map(Value::mean).toList());
  }

  /** Number of different examples. */
  int examples() {
    return (int) values.stream().flatMap(one -> one.examples().stream()).distinct().count();
  }

  /** Whether any measurement is of a call for several documents. */
  boolean hasSharedCalls() {
    return values.stream().anyMatch(Value::isShared);
  }

  /** Whether some scores are the judge's and some are not. */
  boolean areOnTwoScales() {
    return values.stream().map(Value::judged).distinct().count() > 1;
  }

  /** The differences of the values from the prior means of their arms. */
  double[] residuals(MeanFunction centre) {
    return values.stream().mapToDouble(one -> one.value() - centre.of(one.arm())).toArray();
  }

  double sum() {
    return values.stream().mapToDouble(Value::value).sum();
  }
}

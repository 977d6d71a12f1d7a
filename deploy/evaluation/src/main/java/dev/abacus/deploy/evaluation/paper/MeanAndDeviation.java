package dev.abacus.deploy.evaluation.paper;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Mean and sample standard deviation over trials, as in the paper. */
record MeanAndDeviation(double mean, double deviation) {

  /** Computes both over the finite values of the trials; 0 without values. */
  static MeanAndDeviation of(List<TrialOutcome> trials, ToDoubleFunction<TrialOutcome> value) {
    double[] values = trials.stream().mapToDouble(value).filter(Double::isFinite).toArray();
    double mean = Arrays.stream(values).average().orElse(0);
    double squares = Arrays.stream(values).map(each -> square(each - mean)).sum();
    return new MeanAndDeviation(
        mean, values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)));
  }

  private static double square(double x) {
    return x * x;
  }

  /** Scales both by a factor. */
  MeanAndDeviation times(double factor) {
    return new MeanAndDeviation(mean * factor, deviation * factor);
  }

  /** Formats with three decimals. */
  String share() {
    return String.format(Locale.ROOT, "%.3f ± %.3f", mean, deviation);
  }

  /** Formats as US dollars. */
  String dollars() {
    return String.format(Locale.ROOT, "$%.3g ± %.2g", mean, deviation);
  }

  /** Formats as seconds. */
  String seconds() {
    return String.format(Locale.ROOT, "%.0f ± %.0f s", mean, deviation);
  }
}

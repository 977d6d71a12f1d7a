package dev.abacus.deploy.evaluation.paper;

import java.util.Arrays;
import java.util.Locale;

/** Mean and sample standard deviation over trials, as in the paper. */
record MeanAndDeviation(double mean, double deviation) {

  /** Computes both over the finite values; 0 without values. */
  static MeanAndDeviation of(double[] trials) {
    double[] values = Arrays.stream(trials).filter(Double::isFinite).toArray();
    double mean = Arrays.stream(values).average().orElse(0);
    double squares = Arrays.stream(values).map(each -> (each - mean) * (each - mean)).sum();
    return new MeanAndDeviation(
        mean, values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)));
  }

  /** Formats both by the format of a number, such as {@code %.3f}. */
  String text(String format) {
    return String.format(Locale.ROOT, format + " ± " + format, mean, deviation);
  }
}

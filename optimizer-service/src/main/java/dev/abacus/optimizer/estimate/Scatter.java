package dev.abacus.optimizer.estimate;

/** The scores of the samples of one implementation, which are moved to another mean. */
final class Scatter {

  private int samples;
  private double sum;
  private double lowest = 1;
  private double highest;

  void add(double score) {
    samples++;
    sum += score;
    lowest = Math.min(lowest, score);
    highest = Math.max(highest, score);
  }

  /**
   * Adds to an expected score the difference of the sample's own score from the mean, scaled so
   * that no sample leaves [0, 1]: the samples keep some of their scatter, which tells the
   * confidence of their mean.
   */
  double around(double expected, double score) {
    double mean = sum / samples;
    double scale = 1;
    if (mean > lowest) {
      scale = Math.min(scale, expected / (mean - lowest));
    }
    if (highest > mean) {
      scale = Math.min(scale, (1 - expected) / (highest - mean));
    }
    return Math.clamp(expected + scale * (score - mean), 0, 1);
  }
}

package dev.abacus.topology.scoring;

/**
 * What was right and wrong, counted; tallies of several fields add up (micro-average).
 *
 * @param truePositives labels that were found
 * @param falsePositives predictions that match no label
 * @param falseNegatives labels that were not found
 */
record Tally(long truePositives, long falsePositives, long falseNegatives) {

  static final Tally NONE = new Tally(0, 0, 0);

  Tally plus(Tally other) {
    return new Tally(
        truePositives + other.truePositives,
        falsePositives + other.falsePositives,
        falseNegatives + other.falseNegatives);
  }

  /** Harmonic mean of precision and recall; 1 if there was nothing to find and nothing was said. */
  double f1() {
    long all = 2 * truePositives + falsePositives + falseNegatives;
    return all == 0 ? 1 : 2.0 * truePositives / all;
  }

  /** Share of the labels that were found; 1 if there were none. */
  double recall() {
    long labels = truePositives + falseNegatives;
    return labels == 0 ? 1 : (double) truePositives / labels;
  }
}

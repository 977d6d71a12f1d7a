package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.sampling.SeededHash;

/**
 * How plans are confirmed before they are promised.
 *
 * @param share fraction of the budget, in [0, 1), that measures the best plans on examples that the
 *     search does not use; 0 for no such measurement
 * @param boundProbability probability, in (0, 1), with which a bound has to hold
 * @param tolerance difference in quality, in [0, 1], up to which the cheaper of two plans is chosen
 */
public record Confirmation(double share, double boundProbability, double tolerance) {

  /** The default probability of a bound. */
  public static final double BOUND_PROBABILITY = 0.9;

  /** The default tolerance. */
  public static final double TOLERANCE = 0.01;

  /** The default share of the budget. */
  public static final double SHARE = 0.2;

  /** Measures the best plans. */
  public static final Confirmation DEFAULT = new Confirmation(SHARE, BOUND_PROBABILITY, TOLERANCE);

  /** Measures nothing. */
  public static final Confirmation NONE = new Confirmation(0, BOUND_PROBABILITY, TOLERANCE);

  /** With fewer examples none is held back, because the search needs them. */
  static final int FEWEST_EXAMPLES = 20;

  /** With fewer examples of a source nothing is promised: a fold has at least two. */
  private static final int FEWEST_CROSS_FITTED = 8;

  /** Fraction of the examples that is held back from the search. */
  static final double HELD_BACK = 0.3;

  public Confirmation {
    if (!(share >= 0 && share < 1)
        || !(boundProbability > 0 && boundProbability < 1)
        || !(tolerance >= 0 && tolerance <= 1)) {
      throw new IllegalArgumentException(
          "share %s, bound probability %s, tolerance %s"
              .formatted(share, boundProbability, tolerance));
    }
  }

  /**
   * Whether plans are measured by cross-fitting.
   *
   * @param examples number of examples of the source that plans are run on
   * @param all number of examples of all sources
   */
  boolean isCrossFitted(int examples, int all) {
    return share > 0 && all < FEWEST_EXAMPLES && examples >= FEWEST_CROSS_FITTED;
  }

  /**
   * Whether an example is held back from the search. Depends on its id only, so it does not change
   * when examples are added.
   *
   * @param examples number of examples
   */
  boolean isHeldBack(long seed, String exampleId, int examples) {
    return share > 0
        && examples >= FEWEST_EXAMPLES
        && SeededHash.unit(seed, "held back\n" + exampleId) < HELD_BACK;
  }
}

package dev.abacus.optimizer.search.cascades;

import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;

/**
 * Dimensions as amounts that add up along a plan, less being better: cost and latency as they are,
 * quality as its negative logarithm.
 */
final class Losses {

  /** Far below any quality that means something; the logarithm of 0 would spoil sums. */
  private static final double LEAST_QUALITY = 1e-300;

  private Losses() {}

  static double ofQuality(double quality) {
    return -Math.log(Math.max(quality, LEAST_QUALITY));
  }

  static double of(Dimension dimension, double value) {
    return dimension == Dimension.QUALITY ? ofQuality(value) : value;
  }

  /** The most loss that a bound allows. */
  static double of(Bound bound) {
    return of(bound.dimension(), bound.limit());
  }
}

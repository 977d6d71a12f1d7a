package dev.abacus.schemas.plan;

import dev.abacus.schemas.objective.Dimension;

/**
 * The expected quality, cost and latency of a plan per source document.
 *
 * @param quality in [0, 1]
 * @param cost USD
 * @param latency seconds
 */
public record Estimate(double quality, double cost, double latency) {

  public Estimate {
    if (!(quality >= 0 && quality <= 1)
        || !(cost >= 0 && cost < Double.POSITIVE_INFINITY)
        || !(latency >= 0 && latency < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "quality %s (in [0, 1]), cost %s (USD >= 0), latency %s (seconds >= 0)"
              .formatted(quality, cost, latency));
    }
  }

  public double get(Dimension dimension) {
    return switch (dimension) {
      case QUALITY -> quality;
      case COST -> cost;
      case LATENCY -> latency;
    };
  }

  /** The means over documents of which a share, in [0, 1], has another estimate. */
  public Estimate mixedWith(Estimate other, double share) {
    return new Estimate(
        (1 - share) * quality + share * other.quality,
        (1 - share) * cost + share * other.cost,
        (1 - share) * latency + share * other.latency);
  }
}

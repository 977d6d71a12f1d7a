package dev.abacus.schemas.objective;

import java.math.BigDecimal;

/**
 * An inclusive limit on one dimension: at least {@code limit} for quality, at most for cost (USD
 * per source document) and latency (seconds).
 */
public record Bound(Dimension dimension, double limit) {

  public Bound {
    if (!Double.isFinite(limit) || limit < 0) {
      throw new IllegalArgumentException(
          "the bound on " + dimension.label() + " is " + limit + "; it must be a number >= 0");
    }
    if (dimension == Dimension.QUALITY && limit > 1) {
      throw new IllegalArgumentException(
          "the bound on quality is " + limit + "; it must be in [0, 1]");
    }
  }

  public boolean holds(double value) {
    return violation(value) == 0;
  }

  /** The distance of a value from the limit, in the unit of the dimension; 0 if the bound holds. */
  public double violation(double value) {
    double excess = dimension == Dimension.QUALITY ? limit - value : value - limit;
    return Math.max(0, excess);
  }

  @Override
  public String toString() {
    String plain = BigDecimal.valueOf(limit).stripTrailingZeros().toPlainString();
    return switch (dimension) {
      case QUALITY -> "quality >= " + plain;
      case COST -> "cost <= " + plain;
      case LATENCY -> "latency <= " + plain + "s";
    };
  }
}

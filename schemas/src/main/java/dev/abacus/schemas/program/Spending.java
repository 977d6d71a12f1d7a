package dev.abacus.schemas.program;

import java.time.Duration;

/**
 * A cap on the cost of live documents.
 *
 * @param usd maximum USD in each window
 * @param per length of the window
 */
public record Spending(double usd, Duration per) {

  public Spending {
    if (!Double.isFinite(usd) || usd <= 0) {
      throw new IllegalArgumentException("spending of " + usd + " USD; it must be above 0");
    }
    if (!per.isPositive()) {
      throw new IllegalArgumentException("the window of the spending cap must be above 0");
    }
  }
}

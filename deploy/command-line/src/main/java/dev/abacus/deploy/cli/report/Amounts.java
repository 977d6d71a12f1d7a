package dev.abacus.deploy.cli.report;

import java.util.Locale;

/** Formats amounts of money. */
public final class Amounts {

  private static final double CENT = 0.01;

  /** Half of the last digit below a cent. */
  private static final double LEAST = 0.0000005;

  private Amounts() {}

  /** {@code $1.2400}, {@code -$1.2400} or, below a cent, {@code $0.001200}. */
  public static String usd(double amount) {
    if (amount < 0) {
      return "-" + usd(-amount);
    }
    return amount > 0 && amount < LEAST
        ? "<$0.000001"
        : String.format(Locale.ROOT, amount >= CENT || amount == 0 ? "$%.4f" : "$%.6f", amount);
  }
}

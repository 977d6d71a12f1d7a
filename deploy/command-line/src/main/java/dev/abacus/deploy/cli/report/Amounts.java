package dev.abacus.deploy.cli.report;

import java.util.Locale;

/** Formats amounts of money. */
public final class Amounts {

  private static final double CENT = 0.01;

  private Amounts() {}

  /** {@code $1.24} or, below a cent, {@code $0.001200}. */
  public static String usd(double amount) {
    return String.format(Locale.ROOT, amount >= CENT || amount == 0 ? "$%.4f" : "$%.6f", amount);
  }
}

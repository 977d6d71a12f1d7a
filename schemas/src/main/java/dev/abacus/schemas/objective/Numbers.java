package dev.abacus.schemas.objective;

import java.math.BigDecimal;

/** How numbers are written in objectives. */
final class Numbers {

  private Numbers() {}

  /** Without exponent and without trailing zeros. */
  static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}

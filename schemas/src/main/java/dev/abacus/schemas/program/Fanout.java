package dev.abacus.schemas.program;

import org.jspecify.annotations.Nullable;

/** Checks the fan-out that a program states for an operator. */
final class Fanout {

  private Fanout() {}

  static void requirePositive(@Nullable Double fanout, String operator) {
    if (fanout != null && !(fanout > 0 && fanout < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("'fanout' of '" + operator + "' must be above 0");
    }
  }

  static void requireAtMostOne(@Nullable Double fanout, String operator) {
    if (fanout != null && !(fanout > 0 && fanout <= 1)) {
      throw new IllegalArgumentException(
          "'fanout' of '" + operator + "' must be above 0 and at most 1");
    }
  }
}

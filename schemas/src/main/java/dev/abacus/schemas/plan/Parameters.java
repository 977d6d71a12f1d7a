package dev.abacus.schemas.plan;

import org.jspecify.annotations.Nullable;

/** Checks the parameters of techniques. */
final class Parameters {

  private Parameters() {}

  /** The number of pairs that a prompt shows; 0 if a record states none. */
  static int pairs(@Nullable Integer k) {
    if (k != null && k < 0) {
      throw new IllegalArgumentException("k " + k + " must not be negative");
    }
    return k == null ? 0 : k;
  }

  static void requireAtLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " " + value + " must be at least 1");
    }
  }

  static void requireWithin(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          "%s %s is not in [%s, %s]".formatted(name, value, least, most));
    }
  }
}

package dev.abacus.schemas.objective;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A dimension of plan performance (paper, section 2.3). */
public enum Dimension {
  /** In [0, 1]; more is better. */
  QUALITY,
  /** USD per source document; less is better. */
  COST,
  /** Seconds per source document; less is better. */
  LATENCY;

  /** Whether a is strictly better than b. */
  public boolean better(double a, double b) {
    return this == QUALITY ? a > b : a < b;
  }

  /** The keyword in objectives: {@code quality}, {@code cost}, {@code latency}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The dimension with this label, or null. */
  public static @Nullable Dimension ofLabel(String label) {
    for (Dimension dimension : values()) {
      if (dimension.label().equals(label)) {
        return dimension;
      }
    }
    return null;
  }
}

package dev.abacus.schemas.program;

import java.time.Duration;

/** How documents are grouped by time; their record timestamps count. */
public sealed interface Window {

  /** How long after its end a window still takes documents that come late. */
  Duration grace();

  /** Windows of one length, side by side. */
  record Tumbling(Duration size, Duration grace) implements Window {
    public Tumbling {
      requirePositive("tumbling", size);
      requireNotNegative(grace);
    }
  }

  /** Windows of one length that start every {@code advance}. */
  record Hopping(Duration size, Duration advance, Duration grace) implements Window {
    public Hopping {
      requirePositive("hopping", size);
      requirePositive("advance", advance);
      requireNotNegative(grace);
      if (advance.compareTo(size) > 0) {
        throw new IllegalArgumentException("'advance' must not exceed the window's size");
      }
    }
  }

  /** Windows that end when nothing came for {@code gap}. */
  record Session(Duration gap, Duration grace) implements Window {
    public Session {
      requirePositive("session", gap);
      requireNotNegative(grace);
    }
  }

  private static void requirePositive(String name, Duration duration) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("'" + name + "' must be above 0");
    }
  }

  private static void requireNotNegative(Duration grace) {
    if (grace.isNegative()) {
      throw new IllegalArgumentException("'grace' must not be negative");
    }
  }
}

package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;

/** A time window over the record timestamps of documents. */
public sealed interface Window {

  /** How long after its end a window accepts late documents. */
  Duration grace();

  /** The most windows that contain a document. */
  default double windowsPerDocument() {
    return this instanceof Hopping(Duration size, Duration advance, _)
        ? size.toMillis() / (double) advance.toMillis()
        : 1;
  }

  /** Adjacent windows of one length. */
  record Tumbling(@JsonProperty("tumbling") Duration size, Duration grace) implements Window {
    public Tumbling {
      requirePositive("tumbling", size);
      requireNotNegative(grace);
    }
  }

  /** Windows of one length that start every {@code advance}, so they may overlap. */
  record Hopping(@JsonProperty("hopping") Duration size, Duration advance, Duration grace)
      implements Window {
    public Hopping {
      requirePositive("hopping", size);
      requirePositive("advance", advance);
      requireNotNegative(grace);
      if (advance.compareTo(size) > 0) {
        throw new IllegalArgumentException("'advance' must not exceed the window's size");
      }
    }
  }

  /** Windows that end after {@code gap} without a document. */
  record Session(@JsonProperty("session") Duration gap, Duration grace) implements Window {
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

package dev.abacus.schemas.input;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A constant that programs and JSON name in lower case, with hyphens. Enums implement it. */
public interface Keyword {
  /** The name in Java, such as {@code DEAD_LETTER}. */
  String name();

  /** The word in programs and in JSON, such as {@code dead-letter}. */
  @JsonValue
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

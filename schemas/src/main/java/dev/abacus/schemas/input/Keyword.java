package dev.abacus.schemas.input;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A constant that programs and JSON name in lower case, with hyphens. Enums implement it. */
public interface Keyword {
  /** The name in Java, such as {@code DEAD_LETTER}. */
  String name();

  /** The word in programs and in JSON, such as {@code dead-letter}. */
  @JsonValue
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The words of all constants of an enum, in their order. */
  static <E extends Enum<E> & Keyword> List<String> labels(Class<E> type) {
    return Arrays.stream(type.getEnumConstants()).map(Keyword::label).toList();
  }

  /** The constant with a word; null if there is none. */
  static <E extends Enum<E> & Keyword> @Nullable E find(Class<E> type, @Nullable String label) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> constant.label().equals(label))
        .findFirst()
        .orElse(null);
  }
}

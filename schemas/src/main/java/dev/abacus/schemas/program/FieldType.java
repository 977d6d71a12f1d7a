package dev.abacus.schemas.program;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The type of a field that an operator writes. A model's answer is asked for, and checked on
 * arrival, by it.
 */
public sealed interface FieldType {

  /** Text; one of {@code values} unless that list is empty. */
  record Text(List<String> values) implements FieldType {
    public Text {
      values = List.copyOf(values);
    }
  }

  /** A whole number within inclusive limits; null means no limit. */
  record Whole(@Nullable Long minimum, @Nullable Long maximum) implements FieldType {
    public Whole {
      if (minimum != null && maximum != null && minimum > maximum) {
        throw new IllegalArgumentException("minimum " + minimum + " is above maximum " + maximum);
      }
    }
  }

  /** A number within inclusive limits; null means no limit. */
  record Real(@Nullable Double minimum, @Nullable Double maximum) implements FieldType {
    public Real {
      if (minimum != null && maximum != null && minimum > maximum) {
        throw new IllegalArgumentException("minimum " + minimum + " is above maximum " + maximum);
      }
    }
  }

  /** True or false. */
  record Bool() implements FieldType {}

  /** A list of values of one type. */
  record ListOf(FieldType items) implements FieldType {}

  /** A dictionary with these fields. */
  record Dictionary(List<Field> fields) implements FieldType {
    public Dictionary {
      fields = List.copyOf(fields);
      if (fields.isEmpty()) {
        throw new IllegalArgumentException("an object needs at least one property");
      }
    }
  }
}

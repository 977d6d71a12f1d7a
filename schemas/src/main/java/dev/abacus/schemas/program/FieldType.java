package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The type of a field that an operator writes. Prompts ask for it, and answers of models are
 * validated against it.
 */
@JsonPropertyOrder("type")
public sealed interface FieldType {

  /** The name of the type in programs. */
  @JsonProperty("type")
  default String label() {
    return switch (this) {
      case StringType _ -> "string";
      case IntegerType _ -> "integer";
      case NumberType _ -> "number";
      case BooleanType _ -> "boolean";
      case ListType _ -> "list";
      case ObjectType _ -> "object";
    };
  }

  /** Text; one of {@code values} unless that list is empty. */
  record StringType(@JsonProperty("enum") List<String> values) implements FieldType {
    public StringType {
      values = List.copyOf(values);
    }
  }

  /** An integer within inclusive limits; null means no limit. */
  record IntegerType(@Nullable Long minimum, @Nullable Long maximum) implements FieldType {
    public IntegerType {
      if (minimum != null && maximum != null && minimum > maximum) {
        throw new IllegalArgumentException("minimum " + minimum + " is above maximum " + maximum);
      }
    }
  }

  /** A number within inclusive limits; null means no limit. */
  record NumberType(@Nullable Double minimum, @Nullable Double maximum) implements FieldType {
    public NumberType {
      if (minimum != null && maximum != null && minimum > maximum) {
        throw new IllegalArgumentException("minimum " + minimum + " is above maximum " + maximum);
      }
    }
  }

  /** True or false. */
  record BooleanType() implements FieldType {}

  /** A list of values of one type. */
  record ListType(FieldType items) implements FieldType {}

  /** An object with these properties. */
  record ObjectType(
      @JsonProperty("properties") @JsonSerialize(converter = Field.ByName.class) List<Field> fields)
      implements FieldType {
    public ObjectType {
      fields = List.copyOf(fields);
      if (fields.isEmpty()) {
        throw new IllegalArgumentException("an object needs at least one property");
      }
    }
  }
}

package dev.abacus.schemas.program;

import java.util.Objects;

/**
 * A field that a semantic operator writes.
 *
 * @param name letters, digits and underscores
 * @param description meaning of the field, which the prompt contains; may be empty
 * @param nullable whether null is a valid answer ("not stated in the document")
 */
public record Field(String name, FieldType type, String description, boolean nullable) {

  public Field {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(description, "description");
    if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a field name; use letters, digits and underscores");
    }
  }
}

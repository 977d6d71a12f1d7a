package dev.abacus.schemas.program;

import java.util.Objects;

/**
 * A field that a semantic operator writes.
 *
 * @param name letters, digits and underscores
 * @param type what values it takes
 * @param description what it means, in the words the model is told; may be empty
 * @param nullable whether null is an answer ("not stated in the document")
 */
public record Field(String name, FieldType type, String description, boolean nullable) {

  public Field {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(description, "description");
    if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
      throw new IllegalArgumentException(
          "'" + name + "' is no field name; use letters, digits and underscores");
    }
  }
}

package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A field that a semantic operator writes.
 *
 * @param name letters, digits and underscores
 * @param description meaning of the field, which the prompt contains; may be empty
 * @param nullable whether null is a valid answer ("not stated in the document")
 */
public record Field(
    @JsonIgnore String name,
    @JsonUnwrapped FieldType type,
    String description,
    @JsonInclude(Include.NON_DEFAULT) boolean nullable) {

  public Field {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(description, "description");
    if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a field name; use letters, digits and underscores");
    }
  }

  /** The form of fields in programs: an object with an entry for each. */
  static final class ByName extends StdConverter<List<Field>, Map<String, Field>> {

    @Override
    public Map<String, Field> convert(List<Field> fields) {
      Map<String, Field> byName = new LinkedHashMap<>();
      fields.forEach(field -> byName.put(field.name(), field));
      return byName;
    }
  }
}

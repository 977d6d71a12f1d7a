package dev.abacus.schemas.avro;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Describes schemas and values for error messages. */
final class Describe {

  private static final int LONGEST_EXCERPT = 60;

  private Describe() {}

  static String schema(Schema schema) {
    String type =
        switch (schema.getType()) {
          case RECORD -> "record " + schema.getFullName();
          case ENUM -> "enum " + schema.getFullName() + " " + schema.getEnumSymbols();
          case FIXED -> "fixed(%d) %s".formatted(schema.getFixedSize(), schema.getFullName());
          case ARRAY -> "array of " + schema(schema.getElementType());
          case MAP -> "map of " + schema(schema.getValueType());
          case UNION ->
              schema.getTypes().stream()
                  .map(Describe::schema)
                  .collect(Collectors.joining(" | ", "(", ")"));
          case STRING, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, NULL -> schema.getType().getName();
        };
    return switch (schema.getLogicalType()) {
      case null -> type;
      case LogicalTypes.Decimal it -> "decimal(%d,%d)".formatted(it.getPrecision(), it.getScale());
      default -> schema.getLogicalType().getName() + " as " + type;
    };
  }

  static String json(JsonNode json) {
    if (json.isMissingNode()) {
      return "nothing";
    }
    if (json.isNull()) {
      return "null";
    }
    return json.getNodeType().name().toLowerCase(Locale.ROOT) + " " + excerpt(json.toString());
  }

  static String datum(Object datum) {
    return datum.getClass().getName() + " " + excerpt(String.valueOf(datum));
  }

  private static String excerpt(String text) {
    return text.length() > LONGEST_EXCERPT ? text.substring(0, LONGEST_EXCERPT) + "…" : text;
  }
}

package dev.abacus.topology.operator.prompt;

import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes fields for a prompt, one per line: {@code - name (type): description}. Ranges and enum
 * values are part of the description, for endpoints that do not enforce the response schema.
 */
public final class FieldDescriptions {

  private FieldDescriptions() {}

  /** One line per field. */
  public static String of(List<Field> fields) {
    return fields.stream().map(field -> "- " + line(field)).collect(Collectors.joining("\n"));
  }

  private static String line(Field field) {
    String type = type(field.type()) + (field.nullable() ? " or null" : "");
    String description = (oneLine(field.description()) + " " + limits(field.type())).strip();
    return "%s (%s): %s".formatted(field.name(), type, description).stripTrailing();
  }

  private static String type(FieldType type) {
    return switch (type) {
      case FieldType.StringType _ -> "string";
      case FieldType.IntegerType _ -> "integer";
      case FieldType.NumberType _ -> "number";
      case FieldType.BooleanType _ -> "boolean";
      case FieldType.ListType(FieldType items) -> "list of " + type(items);
      case FieldType.ObjectType _ -> "object";
    };
  }

  private static String limits(FieldType type) {
    return switch (type) {
      case FieldType.StringType(List<String> values) when values.isEmpty() -> "";
      case FieldType.StringType(List<String> values) ->
          "[one of: " + String.join(" | ", values) + "]";
      case FieldType.IntegerType(Long minimum, Long maximum) -> between(minimum, maximum);
      case FieldType.NumberType(Double minimum, Double maximum) -> between(minimum, maximum);
      case FieldType.BooleanType _ -> "";
      case FieldType.ListType(FieldType items) -> limits(items);
      case FieldType.ObjectType(List<Field> fields) ->
          fields.stream()
              .map(FieldDescriptions::line)
              .collect(Collectors.joining("; ", "[with ", "]"));
    };
  }

  private static String between(@Nullable Number minimum, @Nullable Number maximum) {
    if (minimum == null && maximum == null) {
      return "";
    }
    if (maximum == null) {
      return "[at least " + minimum + "]";
    }
    return minimum == null
        ? "[at most " + maximum + "]"
        : "[from " + minimum + " to " + maximum + "]";
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}

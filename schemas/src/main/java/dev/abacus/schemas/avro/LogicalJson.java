package dev.abacus.schemas.avro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Conversion;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Avro's logical types as JSON, for {@link AvroJson}. */
final class LogicalJson {

  private LogicalJson() {}

  /**
   * Whether this class converts the logical type of the schema; other types convert as their
   * underlying type.
   */
  static boolean knows(Schema schema) {
    LogicalType type = schema.getLogicalType();
    return type != null && GenericModel.LOGICAL.getConversionFor(type) != null;
  }

  /** Whether a known logical type is a string in JSON, not a number. */
  static boolean isText(Schema schema) {
    String name = schema.getLogicalType().getName();
    return !name.equals("decimal") && !name.equals("big-decimal");
  }

  static Object fromJson(JsonNode json, Schema schema, JsonPath path) {
    if (isText(schema) ? !json.isTextual() : !json.isNumber()) {
      throw new AvroJsonException(path, Describe.schema(schema), Describe.json(json));
    }
    LogicalType type = schema.getLogicalType();
    Conversion<?> conversion = GenericModel.LOGICAL.getConversionFor(type);
    try {
      Object value = isText(schema) ? parse(json.textValue(), type) : decimal(json, type);
      // There and back: cuts to the schema's precision, and finds what is out of range.
      Object raw = Conversions.convertToRawType(value, schema, type, conversion);
      Object cut = Conversions.convertToLogicalType(raw, schema, type, conversion);
      if (value instanceof LocalDate && !value.equals(cut)) {
        throw new ArithmeticException("beyond the range of the type"); // Avro cuts to 32 bits
      }
      return cut;
    } catch (DateTimeException
        | IllegalArgumentException
        | ArithmeticException
        | AvroRuntimeException e) {
      throw new AvroJsonException(
          path,
          Describe.schema(schema),
          "%s (%s)".formatted(Describe.json(json), e.getMessage()),
          e);
    }
  }

  /** The datum has the Java type or the underlying type. */
  static JsonNode toJson(Object datum, Schema schema, JsonPath path) {
    LogicalType type = schema.getLogicalType();
    Conversion<?> conversion = GenericModel.LOGICAL.getConversionFor(type);
    try {
      Object value =
          conversion.getConvertedType().isInstance(datum)
              ? datum
              : Conversions.convertToLogicalType(datum, schema, type, conversion);
      return value instanceof BigDecimal number
          ? DecimalNode.valueOf(number)
          : TextNode.valueOf(value.toString());
    } catch (RuntimeException e) {
      throw new AvroJsonException(path, Describe.schema(schema), Describe.datum(datum), e);
    }
  }

  private static Object parse(String text, LogicalType type) {
    return switch (type.getName()) {
      case "uuid" -> uuid(text);
      case "date" -> LocalDate.parse(text);
      case "time-millis", "time-micros" -> LocalTime.parse(text);
      case "timestamp-millis", "timestamp-micros", "timestamp-nanos" -> Instant.parse(text);
      default -> LocalDateTime.parse(text);
    };
  }

  /** Refuses shortened forms, which would not be written back unchanged. */
  private static UUID uuid(String text) {
    UUID uuid = UUID.fromString(text);
    if (!uuid.toString().equalsIgnoreCase(text)) {
      throw new IllegalArgumentException("not in canonical form");
    }
    return uuid;
  }

  private static BigDecimal decimal(JsonNode json, LogicalType type) {
    BigDecimal value = json.decimalValue();
    if (!(type instanceof LogicalTypes.Decimal decimal)) {
      return value;
    }
    // Compared before scaling: 1e999999999 would need a gigabyte written out.
    BigDecimal bare = value.stripTrailingZeros();
    long integerDigits = (long) bare.precision() - bare.scale();
    boolean fits =
        bare.scale() <= decimal.getScale()
            && integerDigits <= (long) decimal.getPrecision() - decimal.getScale();
    if (bare.signum() != 0 && !fits) {
      throw new ArithmeticException("would have to be rounded");
    }
    return bare.setScale(decimal.getScale());
  }
}

package dev.abacus.schemas.avro;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.jspecify.annotations.Nullable;

/** Converts JSON to Avro, for {@link AvroJson}. */
final class JsonToAvro {

  private JsonToAvro() {}

  static @Nullable Object convert(JsonNode json, Schema schema, JsonPath path) {
    if (LogicalJson.knows(schema)) {
      return LogicalJson.fromJson(json, schema, path);
    }
    return switch (schema.getType()) {
      case RECORD -> record(json, schema, path);
      case UNION -> union(json, schema, path);
      case MAP -> map(json, schema, path);
      case ARRAY -> array(json, schema, path);
      case ENUM -> symbol(json, schema, path);
      case STRING -> {
        require(json.isTextual(), json, schema, path);
        yield json.textValue();
      }
      case BYTES -> ByteBuffer.wrap(bytes(json, schema, path));
      case FIXED -> fixed(json, schema, path);
      case INT, LONG, FLOAT, DOUBLE -> number(json, schema, path);
      case BOOLEAN -> {
        require(json.isBoolean(), json, schema, path);
        yield json.booleanValue();
      }
      case NULL -> {
        require(absent(json), json, schema, path);
        yield null;
      }
    };
  }

  static boolean absent(JsonNode json) {
    return json.isNull() || json.isMissingNode();
  }

  private static GenericData.Record record(JsonNode json, Schema schema, JsonPath path) {
    require(json.isObject(), json, schema, path);
    GenericData.Record record = new GenericData.Record(schema);
    int known = 0;
    for (Schema.Field field : schema.getFields()) {
      JsonNode value = json.path(field.name());
      JsonPath at = path.field(field.name());
      if (value.isMissingNode()) {
        record.put(field.pos(), absentField(field, at));
      } else {
        known++;
        record.put(field.pos(), convert(value, field.schema(), at));
      }
    }
    if (known < json.size()) {
      throw unknownKey(json, schema, path);
    }
    return record;
  }

  private static @Nullable Object absentField(Schema.Field field, JsonPath path) {
    if (field.hasDefaultValue()) {
      Object value = GenericModel.LOGICAL.getDefaultValue(field);
      // Avro shares one default among all records; copy what could be changed in place.
      return value == null ? null : GenericModel.LOGICAL.deepCopy(field.schema(), value);
    }
    if (field.schema().isNullable()) {
      return null;
    }
    throw new AvroJsonException(path, Describe.schema(field.schema()), "nothing");
  }

  private static AvroJsonException unknownKey(JsonNode json, Schema schema, JsonPath path) {
    Map.Entry<String, JsonNode> unknown =
        json.propertyStream()
            .filter(it -> schema.getField(it.getKey()) == null)
            .findFirst()
            .orElseThrow();
    return new AvroJsonException(
        path.field(unknown.getKey()),
        "a field of " + Describe.schema(schema),
        Describe.json(unknown.getValue()));
  }

  private static @Nullable Object union(JsonNode json, Schema union, JsonPath path) {
    if (absent(json) && union.isNullable()) {
      return null;
    }
    List<Schema> branches =
        union.getTypes().stream().filter(it -> it.getType() != Schema.Type.NULL).toList();
    if (branches.size() == 1) {
      return convert(json, branches.getFirst(), path);
    }
    List<Schema> candidates = UnionBranches.candidates(json, branches);
    List<String> reasons = new ArrayList<>();
    for (Schema candidate : candidates) {
      try {
        return convert(json, candidate, path);
      } catch (AvroJsonException e) {
        if (candidates.size() == 1) {
          throw e;
        }
        reasons.add(String.valueOf(e.getMessage()));
      }
    }
    throw new AvroJsonException(
        path,
        Describe.schema(union),
        Describe.json(json) + (reasons.isEmpty() ? "" : " " + reasons));
  }

  private static Map<String, @Nullable Object> map(JsonNode json, Schema schema, JsonPath path) {
    require(json.isObject(), json, schema, path);
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    json.properties()
        .forEach(it ->
            map.put(
                it.getKey(),
                convert(it.getValue(), schema.getValueType(), path.field(it.getKey()))));
    return map;
  }

  private static List<@Nullable Object> array(JsonNode json, Schema schema, JsonPath path) {
    require(json.isArray(), json, schema, path);
    GenericData.Array<@Nullable Object> array = new GenericData.Array<>(json.size(), schema);
    for (int i = 0; i < json.size(); i++) {
      array.add(convert(json.get(i), schema.getElementType(), path.index(i)));
    }
    return array;
  }

  private static GenericData.EnumSymbol symbol(JsonNode json, Schema schema, JsonPath path) {
    require(json.isTextual() && schema.hasEnumSymbol(json.textValue()), json, schema, path);
    return new GenericData.EnumSymbol(schema, json.textValue());
  }

  private static GenericData.Fixed fixed(JsonNode json, Schema schema, JsonPath path) {
    byte[] bytes = bytes(json, schema, path);
    if (bytes.length != schema.getFixedSize()) {
      throw new AvroJsonException(path, Describe.schema(schema), bytes.length + " bytes");
    }
    return new GenericData.Fixed(schema, bytes);
  }

  private static byte[] bytes(JsonNode json, Schema schema, JsonPath path) {
    require(json.isTextual() || json.isBinary(), json, schema, path);
    try {
      return json.binaryValue();
    } catch (IOException e) {
      throw new AvroJsonException(
          path, Describe.schema(schema) + " in base64", Describe.json(json), e);
    }
  }

  private static Number number(JsonNode json, Schema schema, JsonPath path) {
    boolean integer = schema.getType() == Schema.Type.INT || schema.getType() == Schema.Type.LONG;
    boolean special =
        !integer && json.isTextual() && UnionBranches.NOT_FINITE.contains(json.textValue());
    require(json.isNumber() || special, json, schema, path);
    try {
      if (special) {
        double value = Double.parseDouble(json.textValue());
        return schema.getType() == Schema.Type.FLOAT ? (Number) (float) value : (Number) value;
      }
      return switch (schema.getType()) {
        case INT -> json.decimalValue().intValueExact();
        case LONG -> json.decimalValue().longValueExact();
        case FLOAT -> (float) finite(json.floatValue());
        default -> finite(json.doubleValue());
      };
    } catch (ArithmeticException e) {
      throw new AvroJsonException(path, Describe.schema(schema), Describe.json(json), e);
    }
  }

  private static double finite(double value) {
    if (Double.isInfinite(value)) {
      throw new ArithmeticException("beyond the range of the type");
    }
    return value;
  }

  private static void require(boolean fits, JsonNode json, Schema schema, JsonPath path) {
    if (!fits) {
      throw new AvroJsonException(path, Describe.schema(schema), Describe.json(json));
    }
  }
}

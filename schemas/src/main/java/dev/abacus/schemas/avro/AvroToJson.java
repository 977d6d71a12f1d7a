package dev.abacus.schemas.avro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.UnresolvedUnionException;
import org.apache.avro.generic.GenericEnumSymbol;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Converts Avro to JSON, for {@link AvroJson}. */
final class AvroToJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AvroToJson() {}

  static JsonNode convert(@Nullable Object datum, Schema schema, JsonPath path) {
    if (schema.getType() == Schema.Type.UNION) {
      return convert(datum, branch(datum, schema, path), path);
    }
    if (datum == null) {
      if (schema.getType() != Schema.Type.NULL) {
        throw new AvroJsonException(path, Describe.schema(schema), "null");
      }
      return NODES.nullNode();
    }
    if (LogicalJson.knows(schema)) {
      return LogicalJson.toJson(datum, schema, path);
    }
    return switch (datum) {
      case IndexedRecord it when schema.getType() == Schema.Type.RECORD -> record(it, path);
      case Map<?, ?> it when schema.getType() == Schema.Type.MAP -> map(it, schema, path);
      case Collection<?> it when schema.getType() == Schema.Type.ARRAY -> array(it, schema, path);
      default -> scalar(datum, schema, path);
    };
  }

  private static Schema branch(@Nullable Object datum, Schema union, JsonPath path) {
    try {
      return union.getTypes().get(GenericModel.LOGICAL.resolveUnion(union, datum));
    } catch (UnresolvedUnionException e) {
      throw new AvroJsonException(
          path, Describe.schema(union), datum == null ? "null" : Describe.datum(datum), e);
    }
  }

  private static ObjectNode record(IndexedRecord record, JsonPath path) {
    ObjectNode object = NODES.objectNode();
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      boolean implied =
          value == null
              && field.hasDefaultValue()
              && JsonProperties.NULL_VALUE.equals(field.defaultVal());
      if (!implied) {
        object.set(field.name(), convert(value, field.schema(), path.field(field.name())));
      }
    }
    return object;
  }

  private static ObjectNode map(Map<?, ?> map, Schema schema, JsonPath path) {
    ObjectNode object = NODES.objectNode();
    map.forEach((key, value) ->
        object.set(
            key.toString(), convert(value, schema.getValueType(), path.field(key.toString()))));
    return object;
  }

  private static ArrayNode array(Collection<?> items, Schema schema, JsonPath path) {
    ArrayNode array = NODES.arrayNode(items.size());
    for (Object item : items) {
      array.add(convert(item, schema.getElementType(), path.index(array.size())));
    }
    return array;
  }

  private static JsonNode scalar(Object datum, Schema schema, JsonPath path) {
    Schema.Type type = schema.getType();
    return switch (datum) {
      case CharSequence it when type == Schema.Type.STRING -> NODES.textNode(it.toString());
      case GenericEnumSymbol<?> it when type == Schema.Type.ENUM -> NODES.textNode(it.toString());
      case ByteBuffer it when type == Schema.Type.BYTES -> NODES.textNode(base64(it));
      case GenericFixed it when type == Schema.Type.FIXED ->
          NODES.textNode(base64(ByteBuffer.wrap(it.bytes())));
      case Integer it when type == Schema.Type.INT -> NODES.numberNode(it.intValue());
      case Long it when type == Schema.Type.LONG -> NODES.numberNode(it.longValue());
      case Float it when type == Schema.Type.FLOAT -> AvroJson.decimal(it);
      case Double it when type == Schema.Type.DOUBLE -> AvroJson.decimal(it);
      case Boolean it when type == Schema.Type.BOOLEAN -> NODES.booleanNode(it);
      default -> throw new AvroJsonException(path, Describe.schema(schema), Describe.datum(datum));
    };
  }

  private static String base64(ByteBuffer bytes) {
    return Base64.getEncoder().encodeToString(Utils.toArray(bytes));
  }
}

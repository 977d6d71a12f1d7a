package dev.abacus.schemas.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.abacus.schemas.avro.AvroJson;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * Converts messages to JSON, as Protobuf's own mapping does but for two things: fields keep the
 * names of the schema, and 64-bit integers are numbers, because numbers of documents are exact.
 *
 * <p>A field without presence that was not set has its default value; an absent field with presence
 * is left out.
 */
final class ProtobufJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ProtobufJson() {}

  /**
   * The fields of a message.
   *
   * @throws java.time.DateTimeException if a timestamp is out of range
   */
  static ObjectNode of(Message message) {
    ObjectNode object = NODES.objectNode();
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (!field.hasPresence() || message.hasField(field)) {
        object.set(field.getName(), value(field, message.getField(field)));
      }
    }
    return object;
  }

  private static JsonNode value(FieldDescriptor field, Object value) {
    if (!(value instanceof List<?> items)) {
      return single(field, value);
    }
    if (field.isMapField()) {
      ObjectNode map = NODES.objectNode();
      for (Object item : items) {
        Message entry = (Message) item;
        List<FieldDescriptor> parts = entry.getDescriptorForType().getFields();
        String key = String.valueOf(entry.getField(parts.get(0)));
        map.set(key, value(parts.get(1), entry.getField(parts.get(1))));
      }
      return map;
    }
    ArrayNode list = NODES.arrayNode();
    items.forEach(item -> list.add(single(field, item)));
    return list;
  }

  private static JsonNode single(FieldDescriptor field, Object value) {
    return switch (value) {
      case Integer number ->
          isUnsigned(field)
              ? NODES.numberNode(Integer.toUnsignedLong(number))
              : NODES.numberNode(number);
      case Long number ->
          isUnsigned(field)
              ? NODES.numberNode(new BigDecimal(Long.toUnsignedString(number)).toBigInteger())
              : NODES.numberNode(number);
      case Float number -> AvroJson.decimal(number);
      case Double number -> AvroJson.decimal(number);
      case Boolean truth -> NODES.booleanNode(truth);
      case ByteString bytes ->
          NODES.textNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case EnumValueDescriptor constant ->
          constant.getIndex() < 0
              ? NODES.numberNode(constant.getNumber())
              : NODES.textNode(constant.getName());
      case Message message -> message(message);
      default -> NODES.textNode(value.toString());
    };
  }

  private static boolean isUnsigned(FieldDescriptor field) {
    return switch (field.getType()) {
      case UINT32, UINT64, FIXED32, FIXED64 -> true;
      default -> false;
    };
  }

  /** Types of Protobuf's own that stand for a plain value. */
  private static JsonNode message(Message message) {
    return switch (message.getDescriptorForType().getFullName()) {
      case "google.protobuf.Timestamp" ->
          NODES.textNode(Instant.ofEpochSecond(number(message, 0), number(message, 1)).toString());
      case "google.protobuf.Duration" ->
          NODES.textNode(
              BigDecimal.valueOf(number(message, 0))
                      .add(BigDecimal.valueOf(number(message, 1), 9))
                      .stripTrailingZeros()
                      .toPlainString()
                  + "s");
      case "google.protobuf.DoubleValue",
          "google.protobuf.FloatValue",
          "google.protobuf.Int64Value",
          "google.protobuf.UInt64Value",
          "google.protobuf.Int32Value",
          "google.protobuf.UInt32Value",
          "google.protobuf.BoolValue",
          "google.protobuf.StringValue",
          "google.protobuf.BytesValue",
          "google.protobuf.Struct",
          "google.protobuf.ListValue" ->
          field(message, 0);
      case "google.protobuf.Value" ->
          message.getAllFields().entrySet().stream()
              .findFirst()
              .filter(set -> !set.getKey().getName().equals("null_value"))
              .map(set -> value(set.getKey(), set.getValue()))
              .orElse(NODES.nullNode());
      default -> of(message);
    };
  }

  private static JsonNode field(Message message, int index) {
    FieldDescriptor field = message.getDescriptorForType().getFields().get(index);
    return value(field, message.getField(field));
  }

  private static long number(Message message, int index) {
    return ((Number) message.getField(message.getDescriptorForType().getFields().get(index)))
        .longValue();
  }
}

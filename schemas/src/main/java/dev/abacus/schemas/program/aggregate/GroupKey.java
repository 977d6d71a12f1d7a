package dev.abacus.schemas.program.aggregate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.JsonParts;
import dev.abacus.schemas.document.Sha256;
import dev.abacus.schemas.program.StreamJoin;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The grouping values of a document, as a JSON list. Equal numbers in different notations are one
 * value; a missing field counts as null.
 */
public final class GroupKey {

  /** Bytes above which a key is a hash, since stores and topics hold it beside the document. */
  private static final int LONGEST = 16 * 1024;

  /** The first byte of a hash; no JSON begins with it. */
  private static final byte HASHED = 0;

  private GroupKey() {}

  /** The values of these fields. */
  public static ArrayNode of(Document document, List<String> fields) {
    ArrayNode values = JsonNodeFactory.instance.arrayNode(fields.size());
    fields.forEach(field -> values.add(normal(document.get(field))));
    return values;
  }

  /**
   * Whether a join pairs two documents by their keys; all if it has no key. A missing value and
   * null equal nothing.
   */
  public static boolean match(StreamJoin join, Document left, Document right) {
    if (join.on() == null) {
      return true;
    }
    ArrayNode key = of(left, List.of(join.on()));
    return !key.get(0).isNull() && key.equals(of(right, List.of(join.on())));
  }

  /**
   * Bytes that are equal if and only if the groups are equal: the values as JSON, or if that is
   * longer than 16 KiB, its SHA-256.
   */
  public static byte[] bytes(ArrayNode values) {
    byte[] text = values.toString().getBytes(StandardCharsets.UTF_8);
    return text.length <= LONGEST
        ? text
        : ByteBuffer.allocate(1 + Sha256.BYTES).put(HASHED).put(Sha256.of(text)).array();
  }

  /** Bytes of the values as JSON. */
  public static int size(ArrayNode values) {
    return values.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * The record key of the result of a group: the text itself for one text, JSON for one other
   * value, a JSON list for several values, {@code all} without grouping fields.
   */
  public static byte[] output(ArrayNode values) {
    String key =
        switch (values.size()) {
          case 0 -> "all";
          case 1 ->
              values.get(0).isTextual() ? values.get(0).textValue() : values.get(0).toString();
          default -> values.toString();
        };
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /** Equal numbers are equal nodes, however they were written. */
  static JsonNode number(BigDecimal value) {
    BigDecimal number = value.stripTrailingZeros();
    boolean whole = number.scale() <= 0 && number.scale() > -19;
    return JsonNodeFactory.instance.numberNode(whole ? number.setScale(0) : number);
  }

  private static JsonNode normal(JsonNode value) {
    if (value.isMissingNode()) {
      return JsonNodeFactory.instance.nullNode();
    }
    if (value.isNumber()) {
      return number(value.decimalValue());
    }
    if (value.isArray()) {
      return JsonParts.changed(value, GroupKey::normal);
    }
    if (value.isObject()) {
      ObjectNode fields = JsonNodeFactory.instance.objectNode();
      value
          .propertyStream()
          .sorted(java.util.Map.Entry.comparingByKey())
          .forEach(field -> fields.set(field.getKey(), normal(field.getValue())));
      return fields;
    }
    return value;
  }
}

package dev.abacus.schemas.document;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.input.BoundedJson;
import dev.abacus.schemas.input.JsonMistake;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An immutable JSON object: the unit that operators transform (paper, Table 1: <em>d</em>).
 *
 * <p>Values are texts, exact numbers, booleans, null, lists and nested objects. {@link Media}
 * describes the form of a file. Fields keep their insertion order.
 */
public final class Document {

  /**
   * Operators put documents into one another, so those that were read from sources become deeper.
   */
  private static final int MAX_DEPTH = BoundedJson.MAX_DEPTH + 40;

  private static final JsonMapper JSON =
      BoundedJson.mapper(MAX_DEPTH)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final ObjectReader READER =
      JSON.reader().without(JsonParser.Feature.ALLOW_COMMENTS);

  private static final Document EMPTY = new Document(JSON.createObjectNode());

  /** Not shared and not changed after construction. */
  private final ObjectNode fields;

  private Document(ObjectNode fields) {
    this.fields = fields;
  }

  public static Document empty() {
    return EMPTY;
  }

  /** Copies the fields. */
  public static Document of(ObjectNode fields) {
    return new Document(fields.deepCopy());
  }

  /**
   * Reads a document from UTF-8 JSON.
   *
   * @throws InvalidDocumentException if the bytes are not one JSON object, if a key is repeated, or
   *     if the object exceeds a limit of {@link BoundedJson}
   */
  public static Document parse(byte[] json) throws InvalidDocumentException {
    if (json.length == 0) {
      throw new InvalidDocumentException("an empty value, not a JSON object");
    }
    JsonNode node;
    try {
      node = READER.readTree(json);
    } catch (JacksonException e) {
      throw new InvalidDocumentException("not valid JSON: " + JsonMistake.of(e) + framed(json), e);
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidDocumentException("not valid JSON: " + e.getMessage() + framed(json), e);
    }
    if (!(node instanceof ObjectNode object)) {
      throw new InvalidDocumentException(
          "not a JSON object but " + node.getNodeType().name().toLowerCase(Locale.ROOT));
    }
    return new Document(object);
  }

  /** What to look at if the value is that of a serializer with a schema registry. */
  private static String framed(byte[] value) {
    return value[0] == 0
        ? "; it starts with the byte 0x00, as Avro and Protobuf values with a schema id do: is"
            + " `format` that of the topic?"
        : "";
  }

  /** As {@link #parse(byte[])}, for text. */
  public static Document parse(String json) throws InvalidDocumentException {
    return parse(json.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * This document, if it is within the limits of {@link BoundedJson} with room for what operators
   * add.
   *
   * @throws InvalidDocumentException if it is not
   */
  public Document admitted() throws InvalidDocumentException {
    try {
      BoundedJson.requireReadable(fields, BoundedJson.MAX_DEPTH);
      return this;
    } catch (IllegalArgumentException e) {
      throw new InvalidDocumentException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The value of a field, or a {@link MissingNode}. Lists and objects are copies. */
  public JsonNode get(String field) {
    JsonNode value = fields.path(field);
    return value.isContainerNode() ? value.deepCopy() : value;
  }

  public boolean has(String field) {
    return fields.has(field);
  }

  /** Names of the fields, in order. */
  public List<String> fieldNames() {
    return fields.propertyStream().map(Map.Entry::getKey).toList();
  }

  public boolean isEmpty() {
    return fields.isEmpty();
  }

  /** A copy with one field added or replaced. */
  public Document with(String field, JsonNode value) {
    ObjectNode copy = copyOfFields();
    copy.set(field, value.deepCopy());
    return new Document(copy);
  }

  /** A copy with all fields of the other document added or replaced. */
  public Document with(Document other) {
    ObjectNode copy = copyOfFields();
    copy.setAll(other.fields);
    return new Document(copy);
  }

  /** A document with the named fields that exist, in the order of the names. */
  public Document only(Collection<String> names) {
    ObjectNode copy = JSON.createObjectNode();
    for (String name : names) {
      if (fields.has(name)) {
        copy.set(name, fields.get(name));
      }
    }
    return new Document(copy);
  }

  /**
   * Number of characters of all values, without field names and punctuation; files count nothing. A
   * measure of size that needs no serialization.
   */
  public int textLength() {
    return textLength(fields);
  }

  private static int textLength(JsonNode value) {
    if (!value.isContainerNode()) {
      return value.isTextual() ? value.textValue().length() : value.asText().length();
    }
    int length = 0;
    if (Media.of(value) == null) {
      for (JsonNode child : value) {
        length += textLength(child);
      }
    }
    return length;
  }

  /** Whether some value, at any depth, may be a file. */
  public boolean mayHaveMedia() {
    return fields.findValue("uri") != null || fields.findValue("bytes") != null;
  }

  /** A copy as a mutable JSON tree. */
  public ObjectNode toJson() {
    return fields.deepCopy();
  }

  /** UTF-8 JSON, without white space. */
  public byte[] toBytes() {
    try {
      return JSON.writeValueAsBytes(fields);
    } catch (JacksonException e) {
      throw new IllegalStateException("a JSON tree could not be written", e);
    }
  }

  /** A shallow copy; sharing children is safe because they do not change. */
  private ObjectNode copyOfFields() {
    ObjectNode copy = JSON.createObjectNode();
    copy.setAll(fields);
    return copy;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Document that && fields.equals(that.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}

package dev.abacus.topology.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The JSON schema of a structured answer. Immutable; text and hash are computed once, because each
 * call needs them several times.
 */
public final class ResponseSchema {

  private final String name;
  private final JsonNode schema;
  private final String text;
  private final int hash;

  /**
   * A schema.
   *
   * @param name name of the schema at the endpoint
   * @param schema a strict JSON schema: no additional properties, every property required
   */
  public ResponseSchema(String name, JsonNode schema) {
    if (!(schema instanceof ObjectNode)) {
      throw new IllegalArgumentException("a response schema must be a JSON object");
    }
    this.name = name;
    this.schema = schema.deepCopy();
    this.text = schema.toString();
    this.hash = Objects.hash(name, schema);
  }

  public String name() {
    return name;
  }

  public JsonNode schema() {
    return schema;
  }

  /** The schema as JSON text. */
  public String text() {
    return text;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ResponseSchema that
            && hash == that.hash
            && name.equals(that.name)
            && schema.equals(that.schema));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return name + text;
  }
}

package dev.abacus.topology.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The JSON schema that an answer is asked to follow.
 *
 * @param name what the endpoint is told that the schema is called
 * @param schema a strict JSON schema: every object closed, every property required
 */
public record ResponseSchema(String name, JsonNode schema) {

  public ResponseSchema {
    if (!(schema instanceof ObjectNode)) {
      throw new IllegalArgumentException("a response schema must be a JSON object");
    }
    schema = schema.deepCopy();
  }
}

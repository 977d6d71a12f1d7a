package dev.abacus.topology.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The JSON schema of a structured answer.
 *
 * @param name name of the schema at the endpoint
 * @param schema a strict JSON schema: no additional properties, every property required
 */
public record ResponseSchema(String name, JsonNode schema) {

  public ResponseSchema {
    if (!(schema instanceof ObjectNode)) {
      throw new IllegalArgumentException("a response schema must be a JSON object");
    }
    schema = schema.deepCopy();
  }
}

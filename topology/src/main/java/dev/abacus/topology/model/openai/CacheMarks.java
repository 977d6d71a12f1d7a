package dev.abacus.topology.model.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Marks what the provider is to cache, for providers that cache nothing without a mark: {@code
 * cache_control} at the end of the system message, which is equal for all documents of an operator.
 * It is the form of Anthropic, which gateways such as LiteLLM and OpenRouter take in a part of a
 * message of OpenAI's API.
 */
final class CacheMarks {

  private CacheMarks() {}

  /** The body of a request with the mark; a body without a system message is unchanged. */
  static String mark(String body) {
    JsonNode tree = RefusalBody.tree(body);
    if (tree.at("/messages/0") instanceof ObjectNode first
        && first.path("role").asText().equals("system")
        && first.path("content").isTextual()) {
      String text = first.path("content").textValue();
      first
          .putArray("content")
          .addObject()
          .put("type", "text")
          .put("text", text)
          .putObject("cache_control")
          .put("type", "ephemeral");
      return tree.toString();
    }
    return body;
  }
}

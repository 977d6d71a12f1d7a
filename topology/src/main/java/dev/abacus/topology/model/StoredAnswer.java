package dev.abacus.topology.model;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link ModelAnswer.Success} as bytes, for receipts. */
final class StoredAnswer {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int VERSION = 1;

  private StoredAnswer() {}

  static byte[] write(ModelAnswer.Success answer) {
    ObjectNode tree = JSON.createObjectNode();
    tree.put("v", VERSION);
    tree.put("text", answer.text());
    tree.put("input", answer.usage().input());
    tree.put("cached", answer.usage().cachedInput());
    tree.put("output", answer.usage().output());
    tree.put("estimated", answer.usage().estimated());
    tree.put("cost", answer.cost());
    tree.put("latency", answer.latency());
    tree.put("attempts", answer.attempts());
    ArrayNode logprobs = tree.putArray("logprobs");
    answer.logprobs().forEach(each -> logprobs.addArray().add(each.token()).add(each.logprob()));
    try {
      return JSON.writeValueAsBytes(tree);
    } catch (JacksonException e) {
      throw new IllegalStateException("a JSON tree could not be written", e);
    }
  }

  /**
   * The answer, or null if the bytes are of another version or damaged: then it is asked for anew.
   */
  static ModelAnswer.@Nullable Success read(byte[] bytes) {
    try {
      JsonNode tree = JSON.readTree(bytes);
      if (tree.path("v").asInt() != VERSION || !tree.path("text").isTextual()) {
        return null;
      }
      List<TokenLogprob> logprobs = new ArrayList<>();
      tree.path("logprobs")
          .forEach(e -> logprobs.add(new TokenLogprob(e.path(0).asText(), e.path(1).asDouble())));
      return new ModelAnswer.Success(
          tree.path("text").textValue(),
          new Usage(
              tree.path("input").asLong(),
              tree.path("cached").asLong(),
              tree.path("output").asLong(),
              tree.path("estimated").asBoolean()),
          tree.path("cost").asDouble(),
          tree.path("latency").asDouble(),
          tree.path("attempts").asInt(),
          logprobs);
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }
}

package dev.abacus.topology.model;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.input.BoundedJson;
import dev.abacus.topology.model.ModelAnswer.TokenLogprob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts answers to bytes and back, for receipts and for the answer store. */
public final class AnswerSerializer {

  private static final JsonMapper JSON = BoundedJson.mapper().build();

  /** Version of the form. */
  private static final int VERSION = 1;

  private AnswerSerializer() {}

  /** Serializes an answer. */
  public static byte[] write(ModelAnswer.Success answer) {
    ObjectNode tree = JSON.createObjectNode();
    tree.put("v", VERSION);
    tree.put("text", answer.text());
    tree.put("input", answer.tokens().input());
    tree.put("cached", answer.tokens().cachedInput());
    tree.put("output", answer.tokens().output());
    tree.put("reasoning", answer.tokens().reasoning());
    tree.put("estimatedTokens", answer.tokens().estimated());
    if (answer.tokens().stored() > 0) {
      tree.put("storedTokens", answer.tokens().stored());
    }
    tree.put("cost", answer.cost());
    tree.put("latency", answer.latency());
    tree.put("attempts", answer.attempts());
    ArrayNode logprobs = tree.putArray("logprobs");
    answer.logprobs().forEach(each -> logprobs.addArray().add(each.token()).add(each.logprob()));
    try {
      return JSON.writeValueAsBytes(tree);
    } catch (JacksonException e) {
      throw new IllegalStateException("cannot write a JSON tree", e);
    }
  }

  /** The answer; null if the bytes are damaged or have another version. */
  public static ModelAnswer.@Nullable Success read(byte[] bytes) {
    try {
      JsonNode tree = JSON.readTree(bytes);
      if (tree.path("v").asInt() != VERSION || !tree.path("text").isTextual()) {
        return null;
      }
      List<TokenLogprob> logprobs = new ArrayList<>();
      tree.path("logprobs")
          .forEach(e -> logprobs.add(new TokenLogprob(e.path(0).asText(), e.path(1).asDouble())));
      TokenCounts usage =
          new TokenCounts(
              tree.path("input").asLong(),
              tree.path("cached").asLong(),
              tree.path("output").asLong(),
              tree.path("reasoning").asLong(),
              tree.path("estimatedTokens").asLong(),
              tree.path("storedTokens").asLong());
      return new ModelAnswer.Success(
          tree.path("text").textValue(),
          new ExecutionStats(
              tree.path("cost").asDouble(),
              tree.path("latency").asDouble(),
              tree.path("attempts").asInt(),
              usage),
          logprobs);
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }
}

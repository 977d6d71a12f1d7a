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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Answers a request from its receipt if one exists, and records a receipt for every success
 * immediately. An answer from a receipt has the cost and latency of the original call, so that a
 * document reports the same cost with and without a crash. Each document has its own client.
 */
public final class ReceiptingModelClient implements ModelClient {

  private static final JsonMapper JSON = BoundedJson.mapper().build();

  /** Version of the receipt's form. */
  private static final int VERSION = 1;

  private final ModelClient next;
  private final Receipts receipts;

  /** The client with receipts in front. */
  public ReceiptingModelClient(ModelClient next, Receipts receipts) {
    this.next = next;
    this.receipts = receipts;
  }

  @Override
  public ModelClient detour(UnaryOperator<ModelClient> detour) {
    return new ReceiptingModelClient(next.detour(detour), receipts);
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    String hash = RequestHash.of(request);
    byte[] receipt = receipts.find(hash);
    ModelAnswer known = receipt == null ? null : read(receipt);
    if (known != null) {
      return known;
    }
    boolean recorded = false;
    try {
      ModelAnswer answer = next.call(request);
      if (answer instanceof ModelAnswer.Success success) {
        receipts.record(hash, write(success));
        recorded = true;
      }
      return answer;
    } finally {
      if (!recorded) {
        receipts.giveUp(hash);
      }
    }
  }

  private static byte[] write(ModelAnswer.Success answer) {
    ObjectNode tree = JSON.createObjectNode();
    tree.put("v", VERSION);
    tree.put("text", answer.text());
    tree.put("input", answer.tokens().input());
    tree.put("cached", answer.tokens().cachedInput());
    tree.put("output", answer.tokens().output());
    tree.put("reasoning", answer.tokens().reasoning());
    tree.put("estimatedTokens", answer.tokens().estimated());
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

  /** The recorded answer; null if the receipt is damaged or has another version. */
  private static ModelAnswer.@Nullable Success read(byte[] receipt) {
    try {
      JsonNode tree = JSON.readTree(receipt);
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
              tree.path("estimatedTokens").asLong());
      return new ModelAnswer.Success(
          tree.path("text").textValue(),
          usage,
          tree.path("cost").asDouble(),
          tree.path("latency").asDouble(),
          tree.path("attempts").asInt(),
          logprobs);
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }
}

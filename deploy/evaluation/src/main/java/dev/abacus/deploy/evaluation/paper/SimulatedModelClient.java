package dev.abacus.deploy.evaluation.paper;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.InProcessModels;
import dev.abacus.deploy.simulator.wire.ApiException;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.RequestHash;
import dev.abacus.topology.model.ResponseSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls the simulated models in this process. Prices come from the catalogue; latency is modelled,
 * and calls return at once. It caches answers, because many mixtures call the same proposers, but
 * charges cost and latency for each call.
 */
public final class SimulatedModelClient implements ModelClient {

  private static final int MOST_ANSWERS = 100_000;

  private final InProcessModels models;
  private final ModelCatalogue catalogue;
  private final Map<String, ModelAnswer> known = new ConcurrentHashMap<>();

  /** A client of models with the prices of a catalogue. */
  public SimulatedModelClient(InProcessModels models, ModelCatalogue catalogue) {
    this.models = models;
    this.catalogue = catalogue;
  }

  @Override
  public ModelAnswer call(ModelRequest request) {
    String hash = RequestHash.of(request);
    ModelAnswer answer = known.get(hash);
    if (answer == null) {
      answer = ask(request);
      if (known.size() < MOST_ANSWERS) {
        known.put(hash, answer);
      }
    }
    return answer;
  }

  private ModelAnswer ask(ModelRequest request) {
    try {
      return read(models.chat(json(request)), request);
    } catch (ApiException e) {
      if (e.toJson().at("/error/code").asText().equals("context_length_exceeded")) {
        return new ModelAnswer.Failed(
            new ModelFailure.ContextTooLong(String.valueOf(e.getMessage())), ExecutionStats.NONE);
      }
      return new ModelAnswer.Failed(
          new ModelFailure.Refused(e.status(), String.valueOf(e.getMessage())),
          new ExecutionStats(0, 0, 1));
    }
  }

  private ModelAnswer read(InProcessModels.Timed answer, ModelRequest request) {
    JsonNode tokens = answer.json().path("usage");
    TokenCounts usage =
        TokenCounts.of(
            tokens.path("prompt_tokens").asLong(), 0, tokens.path("completion_tokens").asLong());
    double cost = catalogue.get(request.model()).cost(usage.input(), 0, usage.output());
    JsonNode choice = answer.json().path("choices").path(0);
    if (choice.path("finish_reason").asText().equals("length")) {
      return new ModelAnswer.Failed(
          new ModelFailure.Truncated("the answer reached the limit of output tokens"),
          new ExecutionStats(cost, answer.seconds(), 1, usage));
    }
    String text = choice.path("message").path("content").asText();
    return new ModelAnswer.Success(
        text, new ExecutionStats(cost, answer.seconds(), 1, usage), List.of());
  }

  private static ObjectNode json(ModelRequest request) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("model", request.model());
    List<Map<String, ?>> parts =
        request.content().stream().map(SimulatedModelClient::part).toList();
    json.put("messages", List.of(message("system", request.system()), message("user", parts)));
    json.put("temperature", request.options().temperature());
    json.put("max_completion_tokens", request.options().maxOutputTokens());
    ResponseSchema schema = request.responseSchema();
    if (schema != null) {
      json.put(
          "response_format",
          part(
              "json_schema",
              Map.of("name", schema.name(), "strict", true, "schema", schema.schema())));
    }
    return (ObjectNode) Json.tree(json);
  }

  private static Map<String, ?> message(String role, Object content) {
    return Map.of("role", role, "content", content);
  }

  private static Map<String, ?> part(Content part) {
    return switch (part) {
      case Content.Text(String text) -> part("text", text);
      case Content.Attachment(Media.Reference(String uri, _)) -> image(uri);
      case Content.Attachment(Media.Content file) when file.kind() == Media.Kind.AUDIO -> {
        String format = file.mediaType().substring("audio/".length());
        yield part("input_audio", Map.of("data", file.base64(), "format", format));
      }
      case Content.Attachment(Media.Content(String mediaType, String base64)) ->
          image("data:" + mediaType + ";base64," + base64);
    };
  }

  private static Map<String, ?> image(String url) {
    return part("image_url", Map.of("url", url));
  }

  /** What the OpenAI API has in the form {@code {"type": TYPE, TYPE: value}}. */
  private static Map<String, ?> part(String type, Object value) {
    return Map.of("type", type, type, value);
  }
}

package dev.abacus.deploy.simulator.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.simulator.fault.FaultInjector;
import dev.abacus.deploy.simulator.fault.FaultKind;
import dev.abacus.deploy.simulator.skill.Draw;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes a call of a model through key, fault, answer and waiting. */
final class ModelCalls {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ChatService chat;
  private final EmbeddingService embeddings;
  private final ModelProfiles catalogue;
  private final Statistics statistics;
  private final FaultInjector faults;
  private final Pace pace;
  private final @Nullable String apiKey;

  ModelCalls(
      ChatService chat,
      EmbeddingService embeddings,
      ModelProfiles catalogue,
      Statistics statistics,
      FaultInjector faults,
      Pace pace,
      @Nullable String apiKey) {
    this.chat = chat;
    this.embeddings = embeddings;
    this.catalogue = catalogue;
    this.statistics = statistics;
    this.faults = faults;
    this.pace = pace;
    this.apiKey = apiKey;
  }

  Reply chat(@Nullable String authorization, byte[] body) throws InterruptedException {
    return call(authorization, body, chat::answer);
  }

  Reply embeddings(@Nullable String authorization, byte[] body) throws InterruptedException {
    return call(authorization, body, embeddings::answer);
  }

  private Reply call(
      @Nullable String authorization, byte[] body, Function<JsonNode, ChatService.Timed> service)
      throws InterruptedException {
    long began = System.nanoTime();
    authorize(authorization);
    // Latin-1 keeps every byte a character: a hash of the bytes without decoding them.
    statistics.arrived(Draw.hash(new String(body, StandardCharsets.ISO_8859_1)));
    JsonNode json = parse(body);
    String model = json.path("model").asText();
    if (catalogue.chat(model) == null && catalogue.embedding(model) == null) {
      return Reply.ok(service.apply(json).json());
    }
    statistics.called(model);
    FaultKind fault = faults.next(model);
    if (fault != null) {
      statistics.faulted(fault);
    }
    if (fault == FaultKind.RATE_LIMIT) {
      ApiException refusal = ApiException.rateLimit(model);
      return Reply.of(refusal.status(), refusal.headers(), refusal.toJson());
    }
    if (fault == FaultKind.SERVER_ERROR) {
      return Reply.of(500, Map.of(), ApiException.serverError().toJson());
    }
    ChatService.Timed answer = service.apply(json);
    Reply reply = Reply.ok(answer.json());
    pace.await(began, answer.seconds());
    return fault == null ? reply : reply.with(fault);
  }

  private void authorize(@Nullable String authorization) {
    if (apiKey != null && !("Bearer " + apiKey).equals(authorization)) {
      throw ApiException.unauthorized(authorization != null);
    }
  }

  private static JsonNode parse(byte[] body) {
    try {
      JsonNode json = JSON.readTree(body);
      if (json == null || !json.isObject()) {
        throw ApiException.unreadable();
      }
      return json;
    } catch (IOException e) {
      throw ApiException.unreadable();
    }
  }
}

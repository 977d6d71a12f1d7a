package dev.abacus.deploy.simulator.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.simulator.fault.FaultInjector;
import dev.abacus.deploy.simulator.fault.FaultKind;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Handles a model call: checks the key, injects faults, answers, and waits for the latency. */
final class CallHandler {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ChatService chat;
  private final EmbeddingService embeddings;
  private final ModelProfiles catalogue;
  private final CallStatistics statistics;
  private final FaultInjector faults;
  private final SimulatedLatency latency;
  private final @Nullable String apiKey;

  CallHandler(
      ChatService chat,
      EmbeddingService embeddings,
      ModelProfiles catalogue,
      CallStatistics statistics,
      FaultInjector faults,
      SimulatedLatency latency,
      @Nullable String apiKey) {
    this.chat = chat;
    this.embeddings = embeddings;
    this.catalogue = catalogue;
    this.statistics = statistics;
    this.faults = faults;
    this.latency = latency;
    this.apiKey = apiKey;
  }

  HttpReply chat(@Nullable String authorization, byte[] body) throws InterruptedException {
    return call(authorization, body, chat::answer);
  }

  HttpReply embeddings(@Nullable String authorization, byte[] body) throws InterruptedException {
    return call(authorization, body, embeddings::answer);
  }

  private HttpReply call(
      @Nullable String authorization, byte[] body, Function<JsonNode, ChatService.Timed> service)
      throws InterruptedException {
    long began = System.nanoTime();
    authorize(authorization);
    // Latin-1 maps every byte to a character: this hashes the bytes without decoding them.
    statistics.arrived(KeyedRandom.hash(new String(body, StandardCharsets.ISO_8859_1)));
    JsonNode json = parse(body);
    String model = json.path("model").asText();
    if (catalogue.chat(model) == null && catalogue.embedding(model) == null) {
      return HttpReply.ok(service.apply(json).json());
    }
    statistics.called(model);
    FaultKind fault = faults.next(model);
    if (fault != null) {
      statistics.faulted(fault);
    }
    if (fault == FaultKind.RATE_LIMIT) {
      ApiException refusal = ApiException.rateLimit(model);
      return HttpReply.of(refusal.status(), refusal.headers(), refusal.toJson());
    }
    if (fault == FaultKind.SERVER_ERROR) {
      return HttpReply.of(500, Map.of(), ApiException.serverError().toJson());
    }
    ChatService.Timed answer = service.apply(json);
    HttpReply reply = HttpReply.ok(answer.json());
    latency.await(began, answer.seconds());
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

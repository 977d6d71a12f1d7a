package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.InProcessModels.Timed;
import dev.abacus.deploy.simulator.fault.FaultKind;
import dev.abacus.deploy.simulator.limit.RateLimit;
import dev.abacus.deploy.simulator.limit.RateLimitHeaders;
import dev.abacus.deploy.simulator.limit.RateLimiter;
import dev.abacus.deploy.simulator.limit.RateLimiter.State;
import dev.abacus.deploy.simulator.provider.FlexTier;
import dev.abacus.deploy.simulator.provider.Provider;
import dev.abacus.deploy.simulator.provider.RequestRules;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.skill.ModelProfiles.ModelProfile;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Handles a model call: checks key, model, account, limits and parameters, injects faults, answers,
 * and waits for the latency.
 */
record CallHandler(
    ModelService chat,
    ModelService embeddings,
    ModelProfiles catalogue,
    CallStatistics statistics,
    EndpointState state,
    Clock clock) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CHARACTERS_PER_TOKEN = 4;
  private static final double NANOS = 1e9;

  /**
   * A request.
   *
   * @param key the key without its scheme, or null if the request has none
   * @param deployment the deployment that the path names, or null
   */
  record Call(@Nullable String key, @Nullable String deployment, String body) {}

  HttpReply chat(Call call) throws IOException, InterruptedException {
    return answer(call, "ChatCompletions_Create", chat);
  }

  HttpReply embeddings(Call call) throws IOException, InterruptedException {
    return answer(call, "Embeddings_Create", embeddings);
  }

  /**
   * Checks a key.
   *
   * @throws ApiException if it is missing or wrong
   */
  void authorize(@Nullable String key) {
    String required = state.options().apiKey();
    Provider provider = state.options().provider();
    boolean blank = key == null || key.isBlank();
    boolean refused =
        required == null
            ? blank && provider.requiresKey()
            : !required.equals(key) && provider.checksKey();
    if (refused) {
      throw ApiException.unauthorized(!blank);
    }
  }

  private HttpReply answer(Call call, String operation, ModelService service)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    authorize(call.key());
    statistics.arrived(KeyedRandom.hash(call.body()));
    ObjectNode json = parse(call.body());
    if (call.deployment() != null) {
      json.put("model", call.deployment());
    }
    String model = json.path("model").asText();
    if (catalogue.chat(model) == null && catalogue.embedding(model) == null) {
      return HttpReply.ok(service.answer(json).json());
    }
    if (!state.models().contains(model)) {
      throw ApiException.unknownModel(model);
    }
    statistics.called(model);
    Map<String, String> headers = admit(model, json, operation);
    coldStart(model);
    fail(model);
    check(model, json);
    FaultKind fault = state.nextFault(model);
    if (fault == FaultKind.NO_CAPACITY && !FlexTier.isAsked(json)) {
      fault = null;
    }
    if (fault != null) {
      statistics.faulted(fault);
    }
    if (fault == FaultKind.NO_CAPACITY) {
      throw ApiException.noCapacity();
    }
    if (fault == FaultKind.RATE_LIMIT) {
      ApiException refusal =
          ApiException.rateLimit(
              model, state.limiter().limit().retryAfter() != RateLimit.RetryAfter.NONE);
      return HttpReply.of(refusal.status(), refusal.headers(), refusal.toJson());
    }
    if (fault == FaultKind.SERVER_ERROR) {
      return HttpReply.of(500, Map.of(), ApiException.serverError().toJson());
    }
    Timed answer = service.answer(json);
    state.account().book(answer.usd());
    if (fault == FaultKind.EMPTY) {
      ChatService.empty(answer.json());
    }
    HttpReply reply = HttpReply.of(200, headers, answer.json());
    if (fault == FaultKind.SLOW) {
      Thread.sleep(state.options().slow());
    } else {
      await(began, answer.seconds());
    }
    return fault == null ? reply : reply.with(fault);
  }

  /**
   * Waits until the latency has passed since the call began, in {@code nanoTime}; the virtual
   * thread is parked.
   */
  private void await(long began, double modelledSeconds) throws InterruptedException {
    SimulatorOptions options = state.options();
    Duration fixed = options.latency();
    double seconds = fixed == null ? modelledSeconds : fixed.toNanos() / NANOS;
    long left = (long) (seconds / options.speed() * NANOS) - (System.nanoTime() - began);
    Thread.sleep(Duration.ofNanos(left));
  }

  /** The headers of an admitted call. */
  private Map<String, String> admit(String model, JsonNode json, String operation) {
    if (state.account().empty()) {
      throw ApiException.quotaExhausted();
    }
    int tokens = expectedTokens(json);
    RateLimiter.Decision decision = state.limiter().admit(model, tokens);
    RateLimit limit = state.limiter().limit();
    boolean azure = state.options().provider() == Provider.AZURE;
    Map<String, String> headers = RateLimitHeaders.of(limit, decision, azure, clock);
    Duration wait = decision.delay();
    if (wait == null) {
      return headers;
    }
    statistics.limited(model);
    boolean outOfTokens = decision.outOfTokens();
    String message =
        azure
            ? azureMessage(operation, outOfTokens, wait)
            : openAiMessage(
                model,
                outOfTokens,
                Objects.requireNonNull(outOfTokens ? decision.tokens() : decision.requests()),
                outOfTokens ? tokens : 1,
                wait);
    throw ApiException.rateLimit(outOfTokens ? "tokens" : "requests", message, headers);
  }

  /**
   * The tokens that count before the answer is known: as OpenAI documents it, the larger of the
   * limit of the answer and an estimate from the characters of the request.
   */
  private static int expectedTokens(JsonNode json) {
    int characters =
        json.path("messages").toString().length() + json.path("input").toString().length();
    int longest =
        Math.max(json.path("max_completion_tokens").asInt(0), json.path("max_tokens").asInt(0));
    return Math.max(longest, characters / CHARACTERS_PER_TOKEN);
  }

  private static String openAiMessage(
      String model, boolean outOfTokens, State state, int requested, Duration wait) {
    return "Rate limit reached for %s in organization org-simulated on %s per min (%s): Limit %d, Used %d, Requested %d. Please try again in %s."
        .formatted(
            model,
            outOfTokens ? "tokens" : "requests",
            outOfTokens ? "TPM" : "RPM",
            state.limit(),
            Math.max(0, state.limit() - state.remaining()),
            requested,
            RateLimitHeaders.text(wait));
  }

  private static String azureMessage(String operation, boolean outOfTokens, Duration wait) {
    return "Requests to the %s Operation under Azure OpenAI API have exceeded %s rate limit of your current OpenAI S0 pricing tier. Please retry after %d seconds."
        .formatted(operation, outOfTokens ? "token" : "call", wait.toSeconds() + 1);
  }

  private void coldStart(String model) throws InterruptedException {
    Duration loading = state.coldStart().remaining(model);
    if (loading.isZero()) {
      return;
    }
    if (state.coldStart().refuses()) {
      throw ApiException.serverError(503, "The model " + model + " is loading. Please try again.");
    }
    Thread.sleep(loading);
  }

  private void fail(String model) {
    int status = state.outage().next(model);
    if (status != 0) {
      throw ApiException.serverError(
          status, "The server is overloaded or not ready yet (simulated outage).");
    }
  }

  private void check(String model, JsonNode json) {
    ModelProfile profile = catalogue.chat(model);
    if (profile != null && json.path("messages").isArray()) {
      RequestRules.check(state.options().provider(), profile, json);
    }
    String filtered = state.options().filtered();
    if (filtered != null
        && state.options().provider() == Provider.AZURE
        && json.path("messages").toString().contains(filtered)) {
      throw ApiException.filtered();
    }
  }

  private static ObjectNode parse(String body) {
    try {
      if (JSON.readTree(body) instanceof ObjectNode json) {
        return json;
      }
      throw ApiException.unreadable();
    } catch (IOException e) {
      throw ApiException.unreadable();
    }
  }
}

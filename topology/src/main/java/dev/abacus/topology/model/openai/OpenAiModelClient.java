package dev.abacus.topology.model.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelAnswer.TokenLogprob;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.openai.OpenAiProvider.ModelEndpoint;
import dev.abacus.topology.model.token.TokenCounter;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiChatResponseMetadata;
import dev.langchain4j.model.output.FinishReason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls one chat model through an OpenAI-compatible endpoint, with the address, settings and prices
 * of its card. A call is one attempt, except that a request which the endpoint refuses because of
 * one of its parts is {@linkplain Adjustment adjusted} and sent again.
 */
final class OpenAiModelClient implements ModelClient {

  private static final Logger LOG = LoggerFactory.getLogger(OpenAiModelClient.class);

  private final ModelCard card;
  private final TokenCounter counter;
  private final @Nullable ModelFailure missingKey;
  private final FailureClassifier failures;
  private final Adjustments adjustments;
  private final OpenAiChatModel model;

  OpenAiModelClient(ModelCard card, ModelEndpoint access, InstantSource clock) {
    this.card = card;
    this.missingKey = access.missingKey();
    this.failures =
        new FailureClassifier(access.endpoint(), card.nameAtEndpoint(), card.served() != null);
    this.adjustments = new Adjustments(card, clock);
    this.model =
        OpenAiChatModel.builder()
            .httpClientBuilder(access.http())
            .baseUrl(access.endpoint().baseUrl())
            .apiKey(access.endpoint().bearerValue())
            .strictJsonSchema(true)
            .maxRetries(0)
            .build();
    this.counter = TokenCounter.of(ModelCatalogue.of(List.of(card)));
  }

  /**
   * The outcome of one request.
   *
   * @param refusal what the endpoint said; null if it did not refuse the request
   */
  private record Attempt(ModelAnswer answer, @Nullable RefusalBody refusal) {}

  /**
   * Sends the request. While the endpoint refuses a part of it that can be changed, changes it and
   * sends it again, within the same timeout. What made the request succeed is applied to later
   * requests from the start.
   */
  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelFailure unsendable = unsendable(request);
    if (unsendable != null) {
      return ModelAnswer.Failed.withoutCall(unsendable);
    }
    HttpCall http = HttpCall.start(limits(request));
    Set<Adjustment> made = EnumSet.noneOf(Adjustment.class);
    made.addAll(adjustments.of(request));
    Map<Adjustment, String> tried = new EnumMap<>(Adjustment.class);
    ModelAnswer total = null;
    while (true) {
      Attempt attempt = send(request, made, http);
      ModelAnswer answer = attempt.answer();
      total = total == null ? answer : answer.after(total.stats());
      RefusalBody refusal = attempt.refusal();
      Adjustment next = refusal == null ? null : Adjustment.answering(refusal, request, card, made);
      String reason = refusal == null ? "" : refusal.text();
      if (refusal == null && ignoresSchema(answer, request, made)) {
        next = Adjustment.SCHEMA_AS_TEXT_TOO;
        reason = "the endpoint ignores response_format: an answer is no JSON object";
      }
      if (next == null) {
        learn(request, answer, tried);
        return total;
      }
      made.add(next);
      tried.put(next, reason);
    }
  }

  /** Keeps the adjustments that helped. */
  private void learn(ModelRequest request, ModelAnswer answer, Map<Adjustment, String> tried) {
    boolean accepted =
        answer instanceof ModelAnswer.Success || answer.failure() instanceof ModelFailure.Truncated;
    if (answer instanceof ModelAnswer.Success success && !isJsonObject(success.text())) {
      tried.remove(Adjustment.SCHEMA_AS_TEXT_TOO);
    }
    Integer limit = ChatRequests.maxOutputTokens(request, card);
    if (accepted && limit != null && answer.tokens().output() > limit) {
      tried.put(
          Adjustment.MAX_TOKENS,
          "the endpoint ignores max_completion_tokens: an answer is longer than that");
    }
    if (accepted) {
      tried.forEach((adjustment, reason) -> adjustments.learn(adjustment, request, reason));
    }
  }

  /** Why the request cannot be sent; null if it can. */
  private @Nullable ModelFailure unsendable(ModelRequest request) {
    if (missingKey != null) {
      return missingKey;
    }
    for (Content part : request.content()) {
      if (part instanceof Content.Attachment(Media media)) {
        boolean sound = media.kind() == Media.Kind.AUDIO;
        if (sound && !Boolean.TRUE.equals(card.supports().audio())) {
          return new ModelFailure.Refused(0, "model " + card.name() + " does not hear sounds");
        }
        if (!sound && Boolean.FALSE.equals(card.supports().images())) {
          return new ModelFailure.Refused(0, "model " + card.name() + " accepts no images");
        }
      }
    }
    return null;
  }

  private HttpCall.Limits limits(ModelRequest request) {
    Duration own = card.timeout(ChatRequests.maxOutputTokens(request, card));
    return new HttpCall.Limits(
        card.firstByteTimeout(), own.compareTo(request.timeout()) < 0 ? own : request.timeout());
  }

  private Attempt send(ModelRequest request, Set<Adjustment> made, HttpCall http)
      throws InterruptedException {
    try {
      ChatResponse response =
          http.run(() -> model.chat(ChatRequests.of(request, card, Set.copyOf(made))));
      return new Attempt(answer(response, request, http), null);
    } catch (RuntimeException e) {
      ModelFailure failure = failures.classify(e);
      ServerRefusal refusal = FailureClassifier.refusal(e);
      TokenCounts tokens = charged(request, http, refusal);
      return new Attempt(
          new ModelAnswer.Failed(
              failure, new ExecutionStats(card.cost(tokens), http.seconds(), 1, tokens)),
          refusal == null || !isAdjustable(failure) ? null : refusal.body());
    }
  }

  /** A refusal that may concern a part of the request; some servers send status 403 or 500. */
  private static boolean isAdjustable(ModelFailure failure) {
    return failure instanceof ModelFailure.Refused
        || failure instanceof ModelFailure.AuthenticationFailed
        || (failure instanceof ModelFailure.ServerError error && error.status() <= 501);
  }

  /**
   * The tokens that a failed call is charged for: those that the response reports, or else the
   * estimated input if the response was cut off.
   */
  private TokenCounts charged(
      ModelRequest request, HttpCall http, @Nullable ServerRefusal refusal) {
    JsonNode body = http.response();
    TokenCounts reported = RefusalBody.tokens(body);
    boolean possible = isPossible(reported);
    if ((body != null || refusal != null) && possible) {
      return reported;
    }
    return http.isProbablyCharged() || !possible
        ? TokenCounts.estimated(counter.count(request).tokens(), 0)
        : TokenCounts.NONE;
  }

  /** Whether an answer shows that the schema, which was sent, was not applied. */
  private static boolean ignoresSchema(
      ModelAnswer answer, ModelRequest request, Set<Adjustment> made) {
    return request.responseSchema() != null
        && !made.contains(Adjustment.SCHEMA_AS_TEXT)
        && !made.contains(Adjustment.SCHEMA_AS_TEXT_TOO)
        && answer instanceof ModelAnswer.Success success
        && !isJsonObject(success.text());
  }

  /** Whether a text is a JSON object, with or without text around it. */
  private static boolean isJsonObject(String text) {
    int from = text.indexOf('{');
    int to = text.lastIndexOf('}');
    return from >= 0 && to > from && RefusalBody.tree(text.substring(from, to + 1)).isObject();
  }

  private ModelAnswer answer(ChatResponse response, ModelRequest request, HttpCall http) {
    double latency = http.seconds();
    OpenAiChatResponseMetadata metadata = (OpenAiChatResponseMetadata) response.metadata();
    String text = response.aiMessage().text();
    TokenCounts tokens = tokens(http, request, text);
    double cost =
        card.cost(tokens, metadata.serviceTier()) + card.surchargeOfSounds(sounds(http, request));
    ExecutionStats stats = new ExecutionStats(cost, latency, 1, tokens);
    ModelFailure failure = incomplete(metadata.finishReason(), text);
    return failure != null
        ? new ModelAnswer.Failed(failure, stats)
        : new ModelAnswer.Success(text, stats, logprobs(metadata));
  }

  private static @Nullable ModelFailure incomplete(
      @Nullable FinishReason reason, @Nullable String text) {
    if (reason == FinishReason.LENGTH) {
      return new ModelFailure.Truncated("the answer reached the limit of output tokens");
    }
    if (reason == FinishReason.CONTENT_FILTER) {
      return new ModelFailure.Declined("the endpoint's content filter stopped the answer");
    }
    return text == null || text.isBlank() ? new ModelFailure.EmptyAnswer("an empty answer") : null;
  }

  /**
   * Whether a call can have used these tokens: a context holds input and output. Twice that is
   * accepted, because cards may be inexact.
   */
  private boolean isPossible(TokenCounts reported) {
    long limit = 2L * card.contextTokens();
    boolean possible = reported.input() <= limit && reported.output() <= limit;
    if (!possible) {
      LOG.warn(
          "The endpoint reports {} input and {} output tokens for a call of {}, which has a context"
              + " of {}; the tokens are estimated instead",
          reported.input(),
          reported.output(),
          card.name(),
          card.contextTokens());
    }
    return possible;
  }

  /** The tokens that the endpoint reports, or else, or if they are impossible, an estimate. */
  private TokenCounts tokens(HttpCall http, ModelRequest request, @Nullable String text) {
    TokenCounts reported = RefusalBody.tokens(http.response());
    return reported.total() > 0 && isPossible(reported)
        ? reported
        : TokenCounts.estimated(
            counter.count(request).tokens(),
            text == null ? 0 : counter.count(card.name(), text).tokens());
  }

  /** The tokens of sounds that the endpoint reports, or else an estimate. */
  private long sounds(HttpCall http, ModelRequest request) {
    long reported = RefusalBody.soundTokens(http.response());
    return reported > 0 ? reported : counter.ofSounds(request).tokens();
  }

  private static List<TokenLogprob> logprobs(OpenAiChatResponseMetadata metadata) {
    return metadata.logProbs() == null ? List.of() : TokenLogprobs.of(metadata.logProbs());
  }
}

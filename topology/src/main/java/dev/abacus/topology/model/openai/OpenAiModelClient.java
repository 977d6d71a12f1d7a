package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.RetryingModelClient;
import dev.abacus.topology.model.TokenLogprob;
import dev.abacus.topology.model.Tokens;
import dev.abacus.topology.model.Usage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiChatResponseMetadata;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.FinishReason;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls models through OpenAI-compatible endpoints, once per call: {@link RetryingModelClient}
 * decides whether to try again. Every model is called where its card of the catalogue says, and
 * priced as it says.
 */
public final class OpenAiModelClient implements ModelClient {

  private final ModelCatalogue catalogue;
  private final Endpoints endpoints;
  private final HttpTransport transport;
  private final Map<Endpoint, OpenAiChatModel> models = new ConcurrentHashMap<>();
  private final Map<String, UnsupportedParameters> unsupported = new ConcurrentHashMap<>();

  /** A client for the chat models of this catalogue, with connections of its own. */
  public OpenAiModelClient(ModelCatalogue catalogue, Endpoints endpoints) {
    this.catalogue = catalogue;
    this.endpoints = endpoints;
    this.transport = new HttpTransport(java.time.Clock.systemUTC());
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelCard card = catalogue.find(request.model());
    if (card == null || card.kind() != ModelCard.Kind.CHAT) {
      return new ModelAnswer.Failed(
          new ModelFailure.UnknownModel(
              "the catalogue has no chat model '" + request.model() + "'"),
          0,
          0,
          0);
    }
    ModelFailure missingKey = endpoints.missingKey(card);
    if (missingKey != null) {
      return new ModelAnswer.Failed(missingKey, 0, 0, 0);
    }
    return negotiate(request, card);
  }

  /** Repeats the call without a parameter for as long as the endpoint refuses one. */
  private ModelAnswer negotiate(ModelRequest request, ModelCard card) throws InterruptedException {
    Deadline deadline = Deadline.in(request.timeout());
    double earlier = 0;
    int refusals = 0;
    while (true) {
      UnsupportedParameters omitted =
          unsupported.getOrDefault(card.name(), UnsupportedParameters.NONE);
      ModelAnswer answer = attempt(request, card, omitted, deadline);
      UnsupportedParameters learnt =
          answer.failure() instanceof ModelFailure.Refused refused
              ? omitted.learn(refused, request)
              : null;
      if (learnt == null) {
        return answer.after(0, earlier, refusals);
      }
      unsupported.put(card.name(), learnt);
      earlier += answer.latency();
      refusals++;
    }
  }

  private ModelAnswer attempt(
      ModelRequest request, ModelCard card, UnsupportedParameters unsupported, Deadline deadline)
      throws InterruptedException {
    OpenAiChatModel model = models.computeIfAbsent(endpoints.of(card), this::connect);
    long start = System.nanoTime();
    try {
      ChatResponse response =
          ScopedValue.where(Deadline.CURRENT, deadline)
              .call(() -> model.chat(ChatRequests.of(request, card.nameAtEndpoint(), unsupported)));
      return read(response, request, card, secondsSince(start));
    } catch (RuntimeException e) {
      return new ModelAnswer.Failed(FailureClassifier.classify(e), 0, secondsSince(start), 1);
    }
  }

  private OpenAiChatModel connect(Endpoint endpoint) {
    return OpenAiChatModel.builder()
        .httpClientBuilder(transport.asBuilder())
        .baseUrl(endpoint.baseUrl())
        .apiKey(endpoint.key())
        .strictJsonSchema(true)
        .maxRetries(0)
        .build();
  }

  private static ModelAnswer read(
      ChatResponse response, ModelRequest request, ModelCard card, double latency) {
    OpenAiChatResponseMetadata metadata = (OpenAiChatResponseMetadata) response.metadata();
    String text = response.aiMessage().text();
    Usage usage = usage(metadata.tokenUsage(), request, text);
    double cost = card.cost(usage.input(), usage.cachedInput(), usage.output());
    ModelFailure failure = incomplete(metadata.finishReason(), text);
    return failure != null
        ? new ModelAnswer.Failed(failure, cost, latency, 1)
        : new ModelAnswer.Success(text, usage, cost, latency, 1, logprobs(metadata));
  }

  private static @Nullable ModelFailure incomplete(
      @Nullable FinishReason reason, @Nullable String text) {
    if (reason == FinishReason.LENGTH) {
      return new ModelFailure.Truncated("the answer reached the limit of output tokens");
    }
    if (reason == FinishReason.CONTENT_FILTER) {
      return new ModelFailure.Declined("the endpoint's content filter stopped the answer");
    }
    return text == null || text.isBlank() ? new ModelFailure.Malformed("an empty answer") : null;
  }

  private static Usage usage(
      @Nullable OpenAiTokenUsage reported, ModelRequest request, @Nullable String text) {
    if (reported == null
        || reported.inputTokenCount() == null
        || reported.outputTokenCount() == null) {
      return new Usage(Tokens.count(request), 0, text == null ? 0 : Tokens.count(text), true);
    }
    long input = Math.max(0, reported.inputTokenCount());
    OpenAiTokenUsage.InputTokensDetails details = reported.inputTokensDetails();
    Integer cached = details == null ? null : details.cachedTokens();
    return new Usage(
        input,
        cached == null ? 0 : Math.clamp(cached, 0, input),
        Math.max(0, reported.outputTokenCount()),
        false);
  }

  private static List<TokenLogprob> logprobs(OpenAiChatResponseMetadata metadata) {
    return metadata.logProbs() == null
        ? List.of()
        : metadata.logProbs().stream()
            .filter(each -> each.token() != null && each.logprob() != null)
            .map(each -> new TokenLogprob(each.token(), each.logprob()))
            .toList();
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}

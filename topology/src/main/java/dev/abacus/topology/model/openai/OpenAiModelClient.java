package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelAnswer.TokenLogprob;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.Tokens;
import dev.abacus.topology.model.openai.OpenAiProvider.ModelEndpoint;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiChatResponseMetadata;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.FinishReason;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls one chat model through an OpenAI-compatible endpoint, with the address and prices of its
 * card. A call is one attempt, except that a parameter which the endpoint refuses is left out and
 * the request sent again.
 */
final class OpenAiModelClient implements ModelClient {

  private final ModelCard card;
  private final @Nullable ModelFailure missingKey;
  private final OpenAiChatModel model;
  private volatile UnsupportedParameters unsupported = UnsupportedParameters.NONE;

  OpenAiModelClient(ModelCard card, ModelEndpoint access) {
    this.card = card;
    this.missingKey = access.missingKey();
    this.model =
        OpenAiChatModel.builder()
            .httpClientBuilder(access.http())
            .baseUrl(access.endpoint().baseUrl())
            .apiKey(access.endpoint().bearerValue())
            .strictJsonSchema(true)
            .maxRetries(0)
            .build();
  }

  /**
   * Sends the request. While the endpoint refuses a parameter, sends it again without that
   * parameter, within the same timeout; later requests leave the parameter out from the start.
   */
  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    if (missingKey != null) {
      return ModelAnswer.Failed.withoutCall(missingKey);
    }
    HttpCall http = HttpCall.start(limits(request));
    double earlier = 0;
    int refusals = 0;
    while (true) {
      UnsupportedParameters omitted = unsupported;
      ModelAnswer answer = send(request, omitted, http);
      UnsupportedParameters more =
          answer.failure() instanceof ModelFailure.Refused refusal
              ? omitted.learn(refusal, request)
              : null;
      if (more == null) {
        return answer.after(0, earlier, refusals);
      }
      unsupported = more;
      earlier += answer.latency();
      refusals++;
    }
  }

  private ModelAnswer send(ModelRequest request, UnsupportedParameters omitted, HttpCall http)
      throws InterruptedException {
    long start = System.nanoTime();
    try {
      ChatResponse response =
          http.run(() -> model.chat(ChatRequests.of(request, card.nameAtEndpoint(), omitted)));
      return answer(response, request, secondsSince(start));
    } catch (RuntimeException e) {
      return new ModelAnswer.Failed(FailureClassifier.classify(e), 0, secondsSince(start), 1);
    }
  }

  private HttpCall.Limits limits(ModelRequest request) {
    Duration own = card.timeout(request.options().maxOutputTokens());
    return new HttpCall.Limits(
        card.access().limits().firstByteTimeout(),
        own.compareTo(request.timeout()) < 0 ? own : request.timeout());
  }

  private ModelAnswer answer(ChatResponse response, ModelRequest request, double latency) {
    OpenAiChatResponseMetadata metadata = (OpenAiChatResponseMetadata) response.metadata();
    String text = response.aiMessage().text();
    TokenCounts tokens = tokens(metadata.tokenUsage(), request, text);
    double cost = card.cost(tokens);
    ModelFailure failure = incomplete(metadata.finishReason(), text);
    return failure != null
        ? new ModelAnswer.Failed(failure, tokens, cost, latency, 1)
        : new ModelAnswer.Success(text, tokens, cost, latency, 1, logprobs(metadata));
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

  private static TokenCounts tokens(
      @Nullable OpenAiTokenUsage reported, ModelRequest request, @Nullable String text) {
    if (reported == null
        || reported.inputTokenCount() == null
        || reported.outputTokenCount() == null) {
      return TokenCounts.estimated(Tokens.count(request), text == null ? 0 : Tokens.count(text));
    }
    long input = Math.max(0, reported.inputTokenCount());
    OpenAiTokenUsage.InputTokensDetails details = reported.inputTokensDetails();
    Integer cached = details == null ? null : details.cachedTokens();
    long output = Math.max(0, reported.outputTokenCount());
    OpenAiTokenUsage.OutputTokensDetails outputDetails = reported.outputTokensDetails();
    Integer reasoning = outputDetails == null ? null : outputDetails.reasoningTokens();
    return new TokenCounts(
        input,
        cached == null ? 0 : Math.clamp(cached, 0, input),
        output,
        reasoning == null ? 0 : Math.clamp(reasoning, 0, output),
        0);
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

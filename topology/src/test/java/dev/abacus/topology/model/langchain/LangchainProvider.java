package dev.abacus.topology.model.langchain;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelProvider;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A second provider: any chat and embedding models of langchain4j, by the name of their card. It
 * needs only the interfaces of langchain4j-core, so it serves each of its provider modules.
 */
record LangchainProvider(Map<String, ChatModel> chat, Map<String, EmbeddingModel> embedding)
    implements ModelProvider {

  @Override
  public boolean serves(ModelCard card) {
    return chat.containsKey(card.name()) || embedding.containsKey(card.name());
  }

  @Override
  public ModelClient chatClient(ModelCard card) {
    ChatModel model = Objects.requireNonNull(chat.get(card.name()));
    return request -> call(card, model, request);
  }

  @Override
  public Embedder embedder(ModelCard card) {
    return new LangchainEmbedder(card, Objects.requireNonNull(embedding.get(card.name())));
  }

  private static ModelAnswer call(ModelCard card, ChatModel model, ModelRequest request) {
    long start = System.nanoTime();
    try {
      ChatResponse response = model.chat(toLangchain(card, request));
      TokenCounts tokens = tokens(response.tokenUsage());
      String text = response.aiMessage().text();
      if (response.finishReason() == FinishReason.LENGTH) {
        return new ModelAnswer.Failed(
            new ModelFailure.Truncated("the answer reached the limit of output tokens"),
            new ExecutionStats(card.cost(tokens), secondsSince(start), 1, tokens));
      }
      return new ModelAnswer.Success(
          text, new ExecutionStats(card.cost(tokens), secondsSince(start), 1, tokens), List.of());
    } catch (RuntimeException e) {
      return new ModelAnswer.Failed(failure(e), new ExecutionStats(0, secondsSince(start), 1));
    }
  }

  private static ChatRequest toLangchain(ModelCard card, ModelRequest request) {
    String user =
        request.content().stream()
            .map(part -> part instanceof Content.Text(String text) ? text : "")
            .collect(Collectors.joining("\n"));
    ChatRequest.Builder builder =
        ChatRequest.builder()
            .messages(SystemMessage.from(request.system()), UserMessage.from(user))
            .modelName(card.nameAtEndpoint())
            .temperature(request.options().temperature())
            .maxOutputTokens(request.options().maxOutputTokens());
    ResponseSchema schema = request.responseSchema();
    if (schema != null) {
      builder.responseFormat(
          ResponseFormat.builder()
              .type(ResponseFormatType.JSON)
              .jsonSchema(
                  JsonSchema.builder()
                      .name(schema.name())
                      .rootElement(JsonRawSchema.from(schema.schema().toString()))
                      .build())
              .build());
    }
    return builder.build();
  }

  /** The exceptions that all providers of langchain4j share. */
  private static ModelFailure failure(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    return switch (e) {
      case RateLimitException _ -> new ModelFailure.RateLimited(message, null);
      case InternalServerException _ -> new ModelFailure.ServerError(500, message, null);
      case TimeoutException _ -> new ModelFailure.TimedOut(message);
      case AuthenticationException _ -> new ModelFailure.AuthenticationFailed(message);
      case ModelNotFoundException _ -> new ModelFailure.UnknownModel(message);
      case ContentFilteredException _ -> new ModelFailure.Declined(message);
      case InvalidRequestException _ -> new ModelFailure.Refused(400, message);
      default -> new ModelFailure.Malformed(message);
    };
  }

  private static TokenCounts tokens(@Nullable TokenUsage usage) {
    return usage == null
        ? TokenCounts.NONE
        : TokenCounts.of(
            Objects.requireNonNullElse(usage.inputTokenCount(), 0),
            0,
            Objects.requireNonNullElse(usage.outputTokenCount(), 0));
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private record LangchainEmbedder(ModelCard card, EmbeddingModel model) implements Embedder {

    @Override
    public String name() {
      return card.name();
    }

    @Override
    public EmbeddingAnswer embed(List<String> texts) {
      long start = System.nanoTime();
      try {
        var response = model.embedAll(texts.stream().map(TextSegment::from).toList());
        TokenCounts tokens = tokens(response.tokenUsage());
        List<Embedding> vectors =
            response.content().stream().map(each -> Embedding.of(each.vector())).toList();
        return new EmbeddingAnswer.Success(
            vectors, new ExecutionStats(card.cost(tokens), secondsSince(start), 1, tokens));
      } catch (RuntimeException e) {
        return new EmbeddingAnswer.Failed(
            failure(e), new ExecutionStats(0, secondsSince(start), 1));
      }
    }
  }
}

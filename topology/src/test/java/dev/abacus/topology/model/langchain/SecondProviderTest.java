package dev.abacus.topology.model.langchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelProvider;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.model.RoutingModelClient;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.model.openai.OpenAiProvider;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A provider that is not OpenAI's serves the same requests, behind the same client. */
class SecondProviderTest {

  private static final ModelCard SECOND =
      ModelCard.chat("second")
          .apiName("second-v1")
          .inputUsdPerMillion(10)
          .outputUsdPerMillion(20)
          .contextTokens(1000)
          .build();
  private static final ModelCard VECTORS =
      ModelCard.embedding("vectors").inputUsdPerMillion(2).contextTokens(1000).build();
  private static final ModelCard FIRST = ModelCard.chat("first").contextTokens(1000).build();

  private final List<ChatRequest> requests = new ArrayList<>();

  /** A chat model of langchain4j with one behaviour. */
  private interface Behaviour {
    ChatResponse answer(ChatRequest request);
  }

  private List<ModelProvider> providers(Behaviour behaviour) {
    ChatModel chat =
        new ChatModel() {
          @Override
          public ChatResponse chat(ChatRequest request) {
            requests.add(request);
            return behaviour.answer(request);
          }
        };
    EmbeddingModel vectors =
        new EmbeddingModel() {
          @Override
          public Response<List<dev.langchain4j.data.embedding.Embedding>> embedAll(
              List<TextSegment> segments) {
            return Response.from(
                segments.stream()
                    .map(_ -> dev.langchain4j.data.embedding.Embedding.from(new float[] {3, 4}))
                    .toList(),
                new TokenUsage(50));
          }
        };
    return List.of(
        new LangchainProvider(Map.of("second", chat), Map.of("vectors", vectors)),
        new OpenAiProvider(new Endpoints(null, null, Map.<String, String>of()::get)));
  }

  private ModelAnswer call(String model, Behaviour behaviour) throws InterruptedException {
    ModelClient client =
        new RoutingModelClient(
            ModelCatalogue.of(List.of(SECOND, VECTORS, FIRST)), providers(behaviour));
    return client.call(
        ModelRequest.of(
            model,
            "rules",
            List.of(new Content.Text("words")),
            new ResponseSchema("s", JsonNodeFactory.instance.objectNode().put("type", "object"))));
  }

  private ModelFailure failure(RuntimeException thrown) throws InterruptedException {
    return Objects.requireNonNull(
        call(
                "second",
                _ -> {
                  throw thrown;
                })
            .failure());
  }

  @Test
  void itAnswersForItsModelWithTokensAndCost() throws InterruptedException {
    ModelAnswer.Success answer =
        (ModelAnswer.Success)
            call(
                "second",
                _ ->
                    ChatResponse.builder()
                        .aiMessage(AiMessage.from("{}"))
                        .tokenUsage(new TokenUsage(100, 10))
                        .finishReason(FinishReason.STOP)
                        .build());
    assertThat(answer.text()).isEqualTo("{}");
    assertThat(answer.tokens()).isEqualTo(TokenCounts.of(100, 0, 10));
    assertThat(answer.cost()).isCloseTo((100 * 10 + 10 * 20) / 1e6, within(1e-12));
    ChatRequest sent = requests.getFirst();
    assertThat(sent.modelName()).isEqualTo("second-v1");
    assertThat(sent.messages().toString()).contains("rules", "words");
    assertThat(sent.responseFormat().jsonSchema().name()).isEqualTo("s");
  }

  @Test
  void itsFailuresAreThoseOfAllProviders() throws InterruptedException {
    assertThat(failure(new RateLimitException("slow")))
        .isInstanceOf(ModelFailure.RateLimited.class);
    assertThat(failure(new InternalServerException("broken")))
        .isInstanceOf(ModelFailure.ServerError.class);
    assertThat(failure(new ModelNotFoundException("gone")))
        .isInstanceOf(ModelFailure.UnknownModel.class);
  }

  @Test
  void otherModelsStayWithTheNextProvider() throws InterruptedException {
    ModelAnswer answer =
        call(
            "first",
            _ -> {
              throw new AssertionError("the second provider does not serve this model");
            });
    assertThat(Objects.requireNonNull(answer.failure()).message()).contains("OPENAI_API_KEY");
  }

  @Test
  void itEmbeds() throws InterruptedException {
    Embedder embedder =
        Objects.requireNonNull(
            providers(_ -> ChatResponse.builder().build()).getFirst().embedder(VECTORS));
    EmbeddingAnswer.Success answer = (EmbeddingAnswer.Success) embedder.embed(List.of("a", "b"));
    assertThat(answer.embeddings())
        .containsExactly(Embedding.of(0.6f, 0.8f), Embedding.of(0.6f, 0.8f));
    assertThat(answer.tokens().input()).isEqualTo(50);
  }
}

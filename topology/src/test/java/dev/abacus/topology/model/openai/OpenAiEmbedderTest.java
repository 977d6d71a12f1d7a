package dev.abacus.topology.model.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.Retries;
import dev.abacus.topology.model.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenAiEmbedderTest {

  private final StubEndpoint endpoint = new StubEndpoint();

  @AfterEach
  void close() {
    endpoint.close();
  }

  private Embedder embedder(@Nullable String keyVariable) {
    ModelCard card =
        ModelCard.embedding("e")
            .tokenizer("o200k_base")
            .inputUsdPerMillion(2)
            .contextTokens(100)
            .keyVariable(keyVariable)
            .build();
    Endpoints endpoints = new Endpoints(endpoint.url(), null, Map.<String, String>of()::get);
    return new OpenAiProvider(endpoints).embedder(card);
  }

  private Embedder retrying() {
    RetryPolicy policy = new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(1));
    return new Retries(policy, _ -> {}, new Random(1)).around(embedder(null));
  }

  @Test
  void aBatchIsEmbeddedInOneCallForItsPrice() throws InterruptedException {
    endpoint.will(
        StubEndpoint.respond(200, "busy"),
        StubEndpoint.respond(
            200,
            """
            {"object": "list", "model": "e", "usage": {"prompt_tokens": 500, "total_tokens": 500},
             "data": [{"object": "embedding", "index": 0, "embedding": [3, 4]},
                      {"object": "embedding", "index": 1, "embedding": [0, 2]}]}
            """));
    EmbeddingAnswer.Success answer =
        (EmbeddingAnswer.Success) retrying().embed(List.of("one", "two"));
    assertThat(answer.embeddings()).containsExactly(Embedding.of(0.6f, 0.8f), Embedding.of(0, 1));
    assertThat(answer.cost()).isCloseTo(500 * 2 / 1e6, within(1e-12));
    assertThat(answer.attempts()).isEqualTo(2);
    assertThat(endpoint.received.getLast().path()).isEqualTo("/v1/embeddings");
    assertThat(endpoint.received.getLast().body().path("input")).hasSize(2);
  }

  @Test
  void aMissingVectorIsAMalformedAnswer() throws InterruptedException {
    for (int i = 0; i < 2; i++) {
      endpoint.will(
          StubEndpoint.respond(200, "{\"data\": [{\"index\": 0, \"embedding\": [1, 0]}]}"));
    }
    EmbeddingAnswer answer = retrying().embed(List.of("one", "two"));
    assertThat(answer.failure()).isInstanceOf(ModelFailure.Malformed.class);
  }

  @Test
  void aTextIsTruncatedToTheContextOfTheCard() throws InterruptedException {
    endpoint.will(StubEndpoint.respond(200, "{\"data\": [{\"index\": 0, \"embedding\": [1, 0]}]}"));
    assertThat(embedder(null).embed(List.of("word ".repeat(150))).failure()).isNull();
    String sent = endpoint.received.getFirst().body().at("/input/0").asText();
    assertThat(sent.strip().split(" ")).hasSize(100);
  }

  @Test
  void anEmptyBatchAndAMissingKeyNeedNoCall() throws InterruptedException {
    assertThat(embedder(null).embed(List.of())).isEqualTo(EmbeddingAnswer.Success.EMPTY);
    assertThat(embedder("NO_SUCH_KEY").embed(List.of("one")).failure())
        .isInstanceOf(ModelFailure.AuthenticationFailed.class);
    assertThat(endpoint.received).isEmpty();
  }
}

package dev.abacus.topology.model.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.RetryPolicy;
import dev.abacus.topology.model.RetryingEmbedder;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.model.openai.OpenAiEmbedder;
import dev.abacus.topology.model.openai.StubEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbedderTest {

  private static final MiniLmEmbedder MINILM = new MiniLmEmbedder();

  @AfterAll
  static void close() {
    MINILM.close();
  }

  private static List<Embedding> embed(Embedder embedder, String... texts)
      throws InterruptedException {
    EmbeddingAnswer answer = embedder.embed(List.of(texts));
    assertThat(answer.failure()).isNull();
    return ((EmbeddingAnswer.Success) answer).embeddings();
  }

  @Test
  void theInProcessModelPutsLikeMeaningsTogether() throws InterruptedException {
    List<Embedding> all =
        embed(MINILM, "My card was stolen.", "Someone took my bank card.", "The weather is nice.");
    assertThat(all).allSatisfy(each -> assertThat(each.dimensions()).isEqualTo(384));
    assertThat(all).allSatisfy(each -> assertThat(each.cosine(each)).isCloseTo(1, within(1e-5)));
    assertThat(all.get(0).cosine(all.get(1))).isGreaterThan(all.get(0).cosine(all.get(2)) + 0.3);
  }

  @Test
  void theEndOfALongTextCountsToo() throws InterruptedException {
    String filler = "The parties agree to the following terms and conditions. ".repeat(30);
    List<Embedding> all =
        embed(
            MINILM,
            filler + "Volcano eruption in Iceland. ".repeat(60),
            filler + "Chocolate cake recipe with cream. ".repeat(60),
            "volcano");
    assertThat(all.get(0).cosine(all.get(2))).isGreaterThan(all.get(1).cosine(all.get(2)) + 0.1);
  }

  @Test
  void blankTextsAndTextsWithoutSpacesAreEmbeddedToo() throws InterruptedException {
    assertThat(embed(MINILM, "", " \n", "x".repeat(3000), "語".repeat(1000), "😀".repeat(500)))
        .hasSize(5);
  }

  @Test
  void piecesAreTheTextAndNoneIsTooLong() {
    Random random = new Random(3);
    for (int i = 0; i < 20; i++) {
      StringBuilder text = new StringBuilder();
      for (int w = random.nextInt(900); w >= 0; w--) {
        text.append("abcdefghijklmnop", 0, 1 + random.nextInt(16)).append(' ');
      }
      List<MiniLmTokenizer.Piece> pieces = MiniLmTokenizer.of(text + "end");
      assertThat(String.join("", pieces.stream().map(MiniLmTokenizer.Piece::text).toList()))
          .isEqualTo(text + "end");
      assertThat(pieces).allMatch(piece -> piece.tokens() <= MiniLmTokenizer.MOST_TOKENS);
    }
  }

  /** Turns a text's length into a direction, and remembers what it was asked. */
  private static final class Counting implements Embedder {
    final List<List<String>> batches = new ArrayList<>();

    @Override
    public String name() {
      return "counting";
    }

    @Override
    public EmbeddingAnswer embed(List<String> texts) {
      batches.add(List.copyOf(texts));
      return new EmbeddingAnswer.Success(
          texts.stream().map(text -> Embedding.of(text.length(), 1)).toList(), 0.5, 1, 1);
    }
  }

  @Test
  void theCacheAsksOnceForEveryTextAndInOneBatch() throws InterruptedException {
    Counting counting = new Counting();
    Embedder cached = new CachingEmbedder(counting, new EmbeddingCache(1 << 20));
    embed(cached, "a", "bb", "a");
    EmbeddingAnswer.Success second =
        (EmbeddingAnswer.Success) cached.embed(List.of("ccc", "bb", "a"));
    assertThat(counting.batches).containsExactly(List.of("a", "bb"), List.of("ccc"));
    assertThat(second.embeddings())
        .containsExactly(Embedding.of(3, 1), Embedding.of(2, 1), Embedding.of(1, 1));
    assertThat(cached.embed(List.of("a", "ccc")).cost()).isZero();
  }

  /** Waits until it is told to go on; fails for the first who asks. */
  private static final class Held implements Embedder {
    final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch again = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);
    private final boolean failsFirst;

    Held(boolean failsFirst) {
      this.failsFirst = failsFirst;
    }

    @Override
    public String name() {
      return "held";
    }

    @Override
    public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
      batches.add(List.copyOf(texts));
      boolean first = batches.size() == 1;
      if (first) {
        begun.countDown();
        go.await();
      } else {
        again.countDown();
      }
      return first && failsFirst
          ? new EmbeddingAnswer.Failed(new ModelFailure.Refused(500, "no"), 0.25, 1, 1)
          : new EmbeddingAnswer.Success(
              texts.stream().map(text -> Embedding.of(text.length(), 1)).toList(), 0.5, 1, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsBeingEmbeddedIsWaitedForAndTriedAgainIfThatFails(boolean fails) throws Exception {
    Held held = new Held(fails);
    Embedder cached = new CachingEmbedder(held, new EmbeddingCache(1 << 20));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<EmbeddingAnswer> first = threads.submit(() -> cached.embed(List.of("a", "bb")));
      held.begun.await();
      // What nobody else embeds is embedded at once, and only then is there anything to wait for.
      Future<EmbeddingAnswer> second = threads.submit(() -> cached.embed(List.of("bb", "ccc")));
      held.again.await();
      held.go.countDown();
      assertThat(first.get().failure() == null).isEqualTo(!fails);
      EmbeddingAnswer.Success waited = (EmbeddingAnswer.Success) second.get();
      assertThat(waited.embeddings()).containsExactly(Embedding.of(2, 1), Embedding.of(3, 1));
      assertThat(waited.cost()).isEqualTo(fails ? 1.0 : 0.5);
    }
    assertThat(held.batches)
        .isEqualTo(
            fails
                ? List.of(List.of("a", "bb"), List.of("ccc"), List.of("bb"))
                : List.of(List.of("a", "bb"), List.of("ccc")));
  }

  @Test
  void aTextMadeOfKnownPiecesIsTheirMeanAndEmbedsOnlyTheRest() throws InterruptedException {
    String text = "The licensee pays a fee of ten dollars for every copy sold. ".repeat(40);
    List<String> pieces = TextChunks.of(text, TextChunks.SIZE);
    List<Embedding> parts = embed(MINILM, pieces.toArray(String[]::new));
    assertThat(embed(MINILM, text).getFirst())
        .isEqualTo(Embedding.mean(parts, pieces.stream().map(String::length).toList()));
  }

  @Test
  void anEndpointEmbedsABatchInOneCallForItsPrice() throws InterruptedException {
    try (StubEndpoint endpoint = new StubEndpoint()) {
      endpoint.will(
          StubEndpoint.respond(503, "busy"),
          StubEndpoint.respond(
              200,
              """
              {"object": "list", "model": "e", "usage": {"prompt_tokens": 500, "total_tokens": 500},
               "data": [{"object": "embedding", "index": 0, "embedding": [3, 4]},
                        {"object": "embedding", "index": 1, "embedding": [0, 2]}]}
              """));
      Embedder embedder = retrying(endpoint);
      EmbeddingAnswer.Success answer =
          (EmbeddingAnswer.Success) embedder.embed(List.of("one", "two"));
      assertThat(answer.embeddings()).containsExactly(Embedding.of(0.6f, 0.8f), Embedding.of(0, 1));
      assertThat(answer.cost()).isCloseTo(500 * 2 / 1e6, within(1e-12));
      assertThat(answer.attempts()).isEqualTo(2);
      assertThat(endpoint.received.getLast().path()).isEqualTo("/v1/embeddings");
      assertThat(endpoint.received.getLast().body().path("input")).hasSize(2);
    }
  }

  @Test
  void anEndpointThatLeavesVectorsOutFails() throws InterruptedException {
    try (StubEndpoint endpoint = new StubEndpoint()) {
      for (int i = 0; i < 2; i++) {
        endpoint.will(
            StubEndpoint.respond(200, "{\"data\": [{\"index\": 0, \"embedding\": [1, 0]}]}"));
      }
      EmbeddingAnswer answer = retrying(endpoint).embed(List.of("one", "two"));
      assertThat(answer.failure()).isInstanceOf(ModelFailure.Malformed.class);
    }
  }

  private static Embedder retrying(StubEndpoint endpoint) {
    ModelCard card =
        new ModelCard("e", ModelCard.Kind.EMBEDDING, 2, null, 0, 0, 0, 100, null, null, null);
    return new RetryingEmbedder(
        new OpenAiEmbedder(
            card, new Endpoints(endpoint.url(), null, Map.<String, String>of()::get)),
        new RetryPolicy(2, Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(1)),
        _ -> {},
        new Random(1));
  }
}

package dev.abacus.topology.model.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CachingEmbedderTest {

  private static List<Embedding> embed(Embedder embedder, String... texts)
      throws InterruptedException {
    EmbeddingAnswer answer = embedder.embed(List.of(texts));
    assertThat(answer.failure()).isNull();
    return ((EmbeddingAnswer.Success) answer).embeddings();
  }

  /** Embeds a text by its length, and records the batches. */
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
          texts.stream().map(text -> Embedding.of(text.length(), 1)).toList(),
          new ExecutionStats(0.5, 1, 1));
    }
  }

  @Test
  void unknownTextsAreEmbeddedOnceInOneBatch() throws InterruptedException {
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

  /** Blocks the first batch until a signal, and optionally fails it. */
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
          ? new EmbeddingAnswer.Failed(
              new ModelFailure.Refused(500, "no"), new ExecutionStats(0.25, 1, 1))
          : new EmbeddingAnswer.Success(
              texts.stream().map(text -> Embedding.of(text.length(), 1)).toList(),
              new ExecutionStats(0.5, 1, 1));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTextInProgressIsWaitedForAndEmbeddedAgainIfItFails(boolean fails) throws Exception {
    Held held = new Held(fails);
    Embedder cached = new CachingEmbedder(held, new EmbeddingCache(1 << 20));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<EmbeddingAnswer> first = threads.submit(() -> cached.embed(List.of("a", "bb")));
      held.begun.await();
      // "ccc" is embedded at once; "bb" is in progress.
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
}

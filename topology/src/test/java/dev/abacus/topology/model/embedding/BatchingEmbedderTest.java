package dev.abacus.topology.model.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.reference.WordEmbedder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BatchingEmbedderTest {

  private static final int TEXTS = 2_000;

  private static List<EmbeddingAnswer> all(Embedder embedder, List<String> texts) throws Exception {
    List<Future<EmbeddingAnswer>> answers = new ArrayList<>();
    List<EmbeddingAnswer> done = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String text : texts) {
        answers.add(threads.submit(() -> embedder.embed(List.of(text))));
      }
      for (Future<EmbeddingAnswer> answer : answers) {
        done.add(answer.get());
      }
    }
    return done;
  }

  @Test
  void concurrentCallsShareBatchesAndEachGetsItsOwnAnswer() throws Exception {
    WordEmbedder words = new WordEmbedder("words", 32);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < TEXTS; i++) {
      texts.add("word" + i);
    }
    List<EmbeddingAnswer> answers = all(new BatchingEmbedder(words), texts);

    for (int i = 0; i < TEXTS; i++) {
      assertThat(((EmbeddingAnswer.Success) answers.get(i)).embeddings())
          .containsExactly(WordEmbedder.of("word" + i, 32));
    }
    assertThat(words.texts()).isEqualTo(TEXTS);
    assertThat(words.batches()).isLessThanOrEqualTo(TEXTS);
  }

  @Test
  void aRefusedTextFailsOnlyItsOwnCall() throws Exception {
    List<EmbeddingAnswer> answers =
        all(
            new BatchingEmbedder(new WordEmbedder("words", 32)),
            List.of("a", "b", "FAIL", "c", "d", "e", "f"));

    assertThat(answers).hasSize(7);
    assertThat(answers.stream().filter(EmbeddingAnswer.Failed.class::isInstance)).hasSize(1);
    assertThat(answers.get(2)).isInstanceOf(EmbeddingAnswer.Failed.class);
  }

  @Test
  void anErrorReachesTheCallerAsItIsAndLaterBatchesRun() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Embedder flaky =
        new Embedder() {
          @Override
          public String name() {
            return "flaky";
          }

          @Override
          public EmbeddingAnswer embed(List<String> texts) {
            if (calls.incrementAndGet() == 1) {
              throw new NoClassDefFoundError("planted");
            }
            return EmbeddingAnswer.Success.EMPTY;
          }
        };
    BatchingEmbedder embedder = new BatchingEmbedder(flaky);

    assertThatThrownBy(() -> embedder.embed(List.of("a"))).isInstanceOf(NoClassDefFoundError.class);
    assertThat(embedder.embed(List.of())).isInstanceOf(EmbeddingAnswer.Success.class);
  }
}

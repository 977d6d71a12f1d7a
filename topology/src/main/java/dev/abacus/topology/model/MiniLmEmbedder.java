package dev.abacus.topology.model;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Embeds in this process with all-MiniLM-L6-v2 (quantised): no key, no cost, 384 dimensions.
 *
 * <p>The model drops whatever follows its 128th token without a word. So a longer text is split at
 * white space, and the pieces' vectors are averaged, weighted by their tokens.
 *
 * <p>Runs on a few platform threads of its own: native code would pin the carriers of virtual
 * threads, and it uses all cores for one text already.
 */
public final class MiniLmEmbedder implements Embedder, AutoCloseable {

  /** Its name in the model catalogue. */
  public static final String NAME = "all-minilm-l6-v2";

  private static final int THREADS = 2;

  private final ExecutorService pool =
      Executors.newFixedThreadPool(
          THREADS, Thread.ofPlatform().name("minilm-", 0).daemon().factory());

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    if (texts.isEmpty()) {
      return new EmbeddingAnswer.Success(List.of(), 0, 0, 0);
    }
    long start = System.nanoTime();
    List<Future<Embedding>> futures =
        texts.stream().map(text -> pool.submit(() -> embed(text))).toList();
    try {
      List<Embedding> embeddings = new ArrayList<>();
      for (Future<Embedding> future : futures) {
        embeddings.add(future.get());
      }
      return new EmbeddingAnswer.Success(embeddings, 0, (System.nanoTime() - start) / 1e9, 1);
    } catch (ExecutionException e) {
      return new EmbeddingAnswer.Failed(
          new ModelFailure.Refused(0, NAME + " failed: " + e.getCause()),
          0,
          (System.nanoTime() - start) / 1e9,
          1);
    } finally {
      futures.forEach(future -> future.cancel(false));
    }
  }

  private static Embedding embed(String text) {
    // No model embeds nothing, but a blank field is nothing to fail a document for.
    List<MiniLmPieces.Piece> pieces = MiniLmPieces.of(text.isBlank() ? "." : text);
    float[] sum = new float[0];
    for (MiniLmPieces.Piece piece : pieces) {
      float[] vector = Model.MINILM.embed(TextSegment.from(piece.text())).content().vector();
      if (sum.length == 0) {
        sum = new float[vector.length];
      }
      for (int i = 0; i < sum.length; i++) {
        sum[i] += vector[i] * piece.tokens();
      }
    }
    return Embedding.of(sum);
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }

  /** Loaded by the first who embeds: 25 MB and a third of a second. */
  private static final class Model {
    /** Runs single texts in the calling thread, so its own executor is never used. */
    static final AllMiniLmL6V2QuantizedEmbeddingModel MINILM =
        new AllMiniLmL6V2QuantizedEmbeddingModel(Runnable::run);

    private Model() {}
  }
}

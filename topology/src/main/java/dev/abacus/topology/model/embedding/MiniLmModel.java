package dev.abacus.topology.model.embedding;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs all-MiniLM-L6-v2 over short texts.
 *
 * <p>Runs on platform threads of its own, one per core: native code would pin the carriers of
 * virtual threads. Each text is run by itself in one thread. Several threads for one text would
 * spin while they wait for each other, which takes three times as long where others want the cores;
 * and texts run as one tensor would change each other's vectors, because the quantised model scales
 * by the largest number in it.
 */
final class MiniLmModel implements Embedder, AutoCloseable {

  private final ExecutorService pool =
      Executors.newFixedThreadPool(
          Runtime.getRuntime().availableProcessors(),
          Thread.ofPlatform().name("minilm-", 0).daemon().factory());

  @Override
  public String name() {
    return MiniLmEmbedder.NAME;
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
          new ModelFailure.Refused(0, name() + " failed: " + e.getCause()),
          0,
          (System.nanoTime() - start) / 1e9,
          1);
    } finally {
      futures.forEach(future -> future.cancel(false));
    }
  }

  /** A text that is too long for the model after all is halved until its parts are not. */
  private static Embedding embed(String text) throws OrtException {
    // No model embeds nothing, but a blank field is nothing to fail a document for.
    List<MiniLmTokenizer.Piece> pieces = MiniLmTokenizer.of(text.isBlank() ? "." : text);
    List<Embedding> parts = new ArrayList<>();
    for (MiniLmTokenizer.Piece piece : pieces) {
      parts.add(run(piece.encoding()));
    }
    return Embedding.mean(parts, pieces.stream().map(MiniLmTokenizer.Piece::tokens).toList());
  }

  private static Embedding run(Encoding encoding) throws OrtException {
    long[] shape = {1, encoding.getIds().length};
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OnnxTensor ids =
            OnnxTensor.createTensor(environment, LongBuffer.wrap(encoding.getIds()), shape);
        OnnxTensor mask =
            OnnxTensor.createTensor(
                environment, LongBuffer.wrap(encoding.getAttentionMask()), shape);
        OnnxTensor types =
            OnnxTensor.createTensor(environment, LongBuffer.wrap(encoding.getTypeIds()), shape);
        OrtSession.Result result =
            Session.MINILM.run(
                Map.of("input_ids", ids, "attention_mask", mask, "token_type_ids", types))) {
      return Embedding.of(sum(((OnnxTensor) result.get(0)).getFloatBuffer(), encoding.getIds()));
    }
  }

  /** The sum of the tokens' vectors points where their mean does. */
  private static float[] sum(FloatBuffer vectors, long[] tokens) {
    float[] sum = new float[vectors.remaining() / tokens.length];
    for (int token = 0; token < tokens.length; token++) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += vectors.get(token * sum.length + i);
      }
    }
    return sum;
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }

  /** Loaded by the first who embeds: 25 MB and a third of a second. */
  private static final class Session {

    static final OrtSession MINILM = load();

    private Session() {}

    private static OrtSession load() {
      try (InputStream model =
              Objects.requireNonNull(
                  Session.class.getResourceAsStream("/all-minilm-l6-v2-q.onnx"));
          OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
        options.setIntraOpNumThreads(1);
        options.setInterOpNumThreads(1);
        return OrtEnvironment.getEnvironment().createSession(model.readAllBytes(), options);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (OrtException e) {
        throw new IllegalStateException("the model all-minilm-l6-v2 does not load", e);
      }
    }
  }
}

package dev.abacus.topology.model.embedding;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
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
 * Runs all-MiniLM-L6-v2 on texts of one chunk.
 *
 * <p>It uses platform threads, one per core, because native code would pin the carriers of virtual
 * threads. Each text runs alone on one thread: several threads per text spin while they wait for
 * each other, which takes three times as long on a busy machine; and texts in one tensor would
 * change each other's vectors, because the quantized model scales by the largest value in it.
 *
 * <p>It does not use langchain4j's {@code AllMiniLmL6V2QuantizedEmbeddingModel}, which is as fast
 * but ignores everything after the 128th token, and offers no session with one thread per text. Its
 * {@code OnnxBertBiEncoder} with another tokenizer reads up to 510 tokens at once, more than the
 * model was trained on: texts of 130 to 190 tokens then get vectors with a cosine of 0.93 to 0.97
 * to the vectors here, which references already hold.
 */
final class MiniLmModel implements Embedder, AutoCloseable {

  private final ExecutorService pool =
      Executors.newFixedThreadPool(
          Runtime.getRuntime().availableProcessors(),
          Thread.ofPlatform().name("minilm-", 0).daemon().factory());

  /** Another name than that of the embedder: a text of one chunk is in one cache for both. */
  @Override
  public String name() {
    return MiniLmEmbedder.NAME + " of chunks";
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    if (texts.isEmpty()) {
      return EmbeddingAnswer.Success.EMPTY;
    }
    long start = System.nanoTime();
    List<Future<Embedding>> futures =
        texts.stream().map(text -> pool.submit(() -> embed(text))).toList();
    try {
      List<Embedding> embeddings = new ArrayList<>();
      for (Future<Embedding> future : futures) {
        embeddings.add(future.get());
      }
      return new EmbeddingAnswer.Success(
          embeddings, new ExecutionStats(0, (System.nanoTime() - start) / 1e9, 1));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error; // a damaged library is no property of the text
      }
      return new EmbeddingAnswer.Failed(
          new ModelFailure.Refused(0, MiniLmEmbedder.NAME + " failed: " + e.getCause()),
          new ExecutionStats(0, (System.nanoTime() - start) / 1e9, 1));
    } finally {
      futures.forEach(future -> future.cancel(false));
    }
  }

  /** The mean of the parts that fit the model, weighted by their tokens. */
  private static Embedding embed(String text) throws OrtException {
    // A blank text has no tokens, but a blank field must not fail a document.
    List<MiniLmTokenizer.Part> parts = MiniLmTokenizer.split(text.isBlank() ? "." : text);
    List<Embedding> vectors = new ArrayList<>();
    for (MiniLmTokenizer.Part part : parts) {
      vectors.add(run(part.encoding()));
    }
    return Embedding.mean(vectors, parts.stream().map(MiniLmTokenizer.Part::tokens).toList());
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

  /** The sum of the tokens' vectors, which has the direction of their mean. */
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

  /** Loaded by the first call: 25 MB, a third of a second. */
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
        throw new IllegalStateException("cannot load the model all-minilm-l6-v2", e);
      }
    }
  }
}

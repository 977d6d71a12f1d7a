package dev.abacus.topology.reference;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** Embeds a text as the bag of its words; counts what it does. Fails at texts with "FAIL". */
public final class WordEmbedder implements Embedder {

  private final String name;
  private final int dimensions;
  private final AtomicInteger texts = new AtomicInteger();
  private final AtomicInteger batches = new AtomicInteger();

  public WordEmbedder(String name, int dimensions) {
    this.name = name;
    this.dimensions = dimensions;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public EmbeddingAnswer embed(List<String> batch) {
    batches.incrementAndGet();
    List<Embedding> embeddings = new ArrayList<>();
    for (String text : batch) {
      if (text.contains("FAIL")) {
        return new EmbeddingAnswer.Failed(
            new ModelFailure.Refused(400, "will not"), new ExecutionStats(0, 0, 1));
      }
      texts.incrementAndGet();
      embeddings.add(of(text, dimensions));
    }
    return new EmbeddingAnswer.Success(
        embeddings, new ExecutionStats(0.001 * batch.size(), 0.01, 1));
  }

  /** The vector of a text. */
  public static Embedding of(String text, int dimensions) {
    float[] vector = new float[dimensions];
    for (String word : text.toLowerCase(Locale.ROOT).split("\\W+", -1)) {
      vector[Math.floorMod(word.hashCode() * 31 + 7, dimensions)] += 1;
    }
    return Embedding.of(vector);
  }

  /** Texts embedded so far. */
  public int texts() {
    return texts.get();
  }

  /** Calls so far. */
  public int batches() {
    return batches.get();
  }
}

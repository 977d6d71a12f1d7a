package dev.abacus.deploy.reference;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Gives every text a vector of its own, and counts the texts. */
final class CountingEmbedder implements Embedder {

  static final int DIMENSIONS = 384;

  private final AtomicInteger texts = new AtomicInteger();

  @Override
  public String name() {
    return "counting";
  }

  @Override
  public EmbeddingAnswer embed(List<String> batch) {
    List<Embedding> embeddings = new ArrayList<>();
    for (String text : batch) {
      texts.incrementAndGet();
      embeddings.add(of(text));
    }
    return new EmbeddingAnswer.Success(embeddings, new ExecutionStats(0, 0, 1));
  }

  static Embedding of(String text) {
    Random random = new Random(text.hashCode());
    float[] vector = new float[DIMENSIONS];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return Embedding.of(vector);
  }

  int texts() {
    return texts.get();
  }
}

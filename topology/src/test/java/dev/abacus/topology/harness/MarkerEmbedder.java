package dev.abacus.topology.harness;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import java.util.List;

/** Embeds the first text and all texts with a marker to one vector, other texts to another. */
record MarkerEmbedder(String name) implements Embedder {

  @Override
  public EmbeddingAnswer embed(List<String> texts) {
    return new EmbeddingAnswer.Success(
        texts.stream()
            .map(text ->
                texts.indexOf(text) == 0 || text.indexOf('#') >= 0
                    ? Embedding.of(1, 0)
                    : Embedding.of(0, 1))
            .toList(),
        new ExecutionStats(0, 0, 1));
  }
}

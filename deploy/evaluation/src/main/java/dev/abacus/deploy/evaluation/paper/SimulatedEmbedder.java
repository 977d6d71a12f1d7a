package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.simulator.InProcessModels;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Embeds with a simulated model in this process. It caches vectors but charges cost and latency for
 * each call, so that the cost of an implementation does not depend on earlier calls.
 */
final class SimulatedEmbedder implements Embedder {

  private static final int MOST_TEXTS = 60_000;

  private final InProcessModels models;
  private final ModelCard card;
  private final Map<String, InProcessModels.Vectors> known = new ConcurrentHashMap<>();

  SimulatedEmbedder(InProcessModels models, ModelCard card) {
    this.models = models;
    this.card = card;
  }

  @Override
  public String name() {
    return card.name();
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) {
    if (texts.isEmpty()) {
      return new EmbeddingAnswer.Success(List.of(), ExecutionStats.NONE);
    }
    List<InProcessModels.Vectors> vectors = texts.stream().map(this::one).toList();
    int tokens = vectors.stream().mapToInt(InProcessModels.Vectors::tokens).sum();
    double perCall = models.embed(card.name(), List.of()).seconds();
    double seconds = perCall + vectors.stream().mapToDouble(v -> v.seconds() - perCall).sum();
    return new EmbeddingAnswer.Success(
        vectors.stream().map(each -> Embedding.of(each.vectors().getFirst())).toList(),
        new ExecutionStats(card.cost(tokens, 0, 0), seconds, 1));
  }

  private InProcessModels.Vectors one(String text) {
    InProcessModels.Vectors found = known.get(text);
    if (found == null) {
      found = models.embed(card.name(), List.of(text.isBlank() ? "." : text));
      if (known.size() < MOST_TEXTS) {
        known.put(text, found);
      }
    }
    return found;
  }
}

package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.simulator.InProcessModels;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import java.util.List;

/** Embeds with a simulated model in this process. */
final class SimulatedEmbedder implements Embedder {

  private final InProcessModels models;
  private final ModelCard card;

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
    InProcessModels.Vectors answer =
        models.embed(card.name(), texts.stream().map(text -> text.isBlank() ? "." : text).toList());
    return new EmbeddingAnswer.Success(
        answer.vectors().stream().map(Embedding::of).toList(),
        new ExecutionStats(card.cost(answer.tokens(), 0, 0), answer.seconds(), 1));
  }
}

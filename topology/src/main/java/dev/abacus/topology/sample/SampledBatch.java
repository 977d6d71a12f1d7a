package dev.abacus.topology.sample;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.topology.operator.BatchListener;
import org.jspecify.annotations.Nullable;

/** The call that a sample shares with the other samples of its batch. */
final class SampledBatch implements BatchListener {

  private final SampleTask task;
  private int documents;
  private TokenCounts instruction = TokenCounts.NONE;

  SampledBatch(SampleTask task) {
    this.task = task;
  }

  @Override
  public @Nullable Group group() {
    SampleTask.Batch batch = task.batch();
    return batch == null ? null : new Group(batch.id(), batch.documents());
  }

  @Override
  public void called(int documentsOfCall, TokenCounts ofInstruction) {
    documents = documentsOfCall;
    instruction = ofInstruction;
  }

  /**
   * What the call was made for; null if the sample shares no call. Without a call, because its
   * answer was known, the batch was full as far as is known.
   */
  Observation.@Nullable Batch observed(ModelCatalogue catalogue) {
    SampleTask.Batch batch = task.batch();
    if (batch == null) {
      return null;
    }
    ModelCard card = catalogue.find(task.physical().chatModels().getFirst());
    return new Observation.Batch(
        batch.id(),
        documents == 0 ? batch.documents() : documents,
        card == null ? 0 : card.cost(instruction));
  }
}

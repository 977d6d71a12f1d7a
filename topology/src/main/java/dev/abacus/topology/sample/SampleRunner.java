package dev.abacus.topology.sample;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.UncachedPricingModelClient;
import dev.abacus.topology.operator.EvidenceOutcome;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.scoring.Score;
import dev.abacus.topology.scoring.Scorer;
import java.util.List;

/**
 * Runs an implementation on one input and scores what comes out. Safe for use by several threads.
 */
public final class SampleRunner {

  private final OperatorRuntime operators;
  private final Scorer scorer;
  private final ModelCatalogue catalogue;

  /**
   * Runs with these operators.
   *
   * @param catalogue what the models cost
   */
  public SampleRunner(OperatorRuntime operators, Scorer scorer, ModelCatalogue catalogue) {
    this.operators = operators;
    this.scorer = scorer;
    this.catalogue = catalogue;
  }

  /**
   * Carries out a task.
   *
   * @param client for the operator and for the judge
   * @throws InterruptedException if the thread is interrupted
   */
  public Observation run(SampleTask task, ModelClient client) throws InterruptedException {
    OperatorRuntime sampling = operators.forSample(task.label(), task.exampleId());
    if (task.evidenceOnly()) {
      return lesson(task, sampling.collectEvidence(task.operator(), task.physical(), task.input()));
    }
    // What is learnt is what a live document costs; the judge's cost is the search's own.
    UncachedPricingModelClient priced = new UncachedPricingModelClient(client, catalogue);
    OperatorOutcome outcome =
        sampling.execute(task.operator(), task.physical(), task.input(), priced);
    Score score = scorer.score(task, outcome, client, sampling.references());
    double paid = Math.max(0, outcome.stats().paid() - priced.added());
    return observation(task, outcome, score, paid);
  }

  /**
   * What a labelled input teaches; nothing if the label is no answer that the operator can give.
   */
  private static Observation lesson(SampleTask task, EvidenceOutcome taught) {
    Evidence evidence = EvidenceLabel.only(task, taught.evidence());
    String failure =
        evidence != null
            ? null
            : taught.failure() != null ? taught.failure() : "no label says what is right";
    return Observation.of(task)
        .outcome(failure == null ? Outcome.EMBEDDED : Outcome.FAILED)
        .score(
            failure == null ? null : Double.valueOf(0),
            failure == null ? ScoredBy.NOBODY : ScoredBy.FAILURE)
        .cost(taught.stats().cost())
        .latency(taught.stats().latency())
        .paid(taught.stats().paid())
        .evidence(evidence)
        .failure(failure)
        .build();
  }

  private static Observation observation(
      SampleTask task, OperatorOutcome outcome, Score score, double paid) {
    List<Document> outputs =
        outcome instanceof OperatorOutcome.Kept kept ? kept.documents() : List.of();
    Outcome kind =
        switch (outcome) {
          case OperatorOutcome.Kept kept ->
              kept.documents().isEmpty() ? Outcome.DROPPED : Outcome.KEPT;
          case OperatorOutcome.Dropped _ -> Outcome.DROPPED;
          case OperatorOutcome.Failed _ -> Outcome.FAILED;
        };
    return Observation.of(task)
        .outcome(kind)
        .outputs(outputs)
        .score(score.quality(), score.scoredBy())
        .cost(outcome.stats().cost())
        .latency(outcome.stats().latency())
        .judgeCost(score.judgeCost())
        .paid(paid)
        .evidence(EvidenceLabel.apply(task, outcome.evidence()))
        .failure(score.reason())
        .build();
  }
}

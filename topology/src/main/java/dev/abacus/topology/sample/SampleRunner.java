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

/** Runs an implementation on one input and scores the output. Thread-safe. */
public final class SampleRunner {

  private final OperatorRuntime operators;
  private final Scorer scorer;
  private final ModelCatalogue catalogue;

  /**
   * A runner with these operators.
   *
   * @param catalogue prices of the models
   */
  public SampleRunner(OperatorRuntime operators, Scorer scorer, ModelCatalogue catalogue) {
    this.operators = operators;
    this.scorer = scorer;
    this.catalogue = catalogue;
  }

  /**
   * Runs a task.
   *
   * @param client calls the models of the operator and of the judge
   * @throws InterruptedException if the thread is interrupted
   */
  public Observation run(SampleTask task, ModelClient client) throws InterruptedException {
    OperatorRuntime sampling = operators.forSample(task.label(), task.exampleId());
    if (task.evidenceOnly()) {
      return evidence(
          task, sampling.collectEvidence(task.operator(), task.physical(), task.input()));
    }
    // An observation has the cost of a live document. The cost of the judge is not part of it.
    UncachedPricingModelClient priced = new UncachedPricingModelClient(client, catalogue);
    OperatorOutcome outcome =
        sampling.execute(task.operator(), task.physical(), task.input(), priced);
    Score score = scorer.score(task, outcome, client, sampling.references());
    double paid = Math.max(0, outcome.stats().paid() - priced.added());
    return observation(task, outcome, score, paid);
  }

  /** The evidence in a labelled input; a failure if the label is not a possible answer. */
  private static Observation evidence(SampleTask task, EvidenceOutcome outcome) {
    Evidence evidence = EvidenceLabel.only(task, outcome.evidence());
    String failure =
        evidence != null
            ? null
            : outcome.failure() != null
                ? outcome.failure()
                : "the input has no label that is a possible answer";
    return Observation.of(task)
        .outcome(failure == null ? Outcome.EMBEDDED : Outcome.FAILED)
        .score(
            failure == null ? null : Double.valueOf(0),
            failure == null ? ScoredBy.NOBODY : ScoredBy.FAILURE)
        .cost(outcome.stats().cost())
        .latency(outcome.stats().latency())
        .paid(outcome.stats().paid())
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

package dev.abacus.topology.sample;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.OperatorRuntime;
import dev.abacus.topology.scoring.Score;
import dev.abacus.topology.scoring.Scorer;
import java.util.List;

/**
 * Runs an implementation on one input and scores what comes out. Safe for use by several threads.
 */
public final class SampleRunner {

  private final OperatorRuntime operators;
  private final Scorer scorer;

  /** Runs with these operators. */
  public SampleRunner(OperatorRuntime operators, Scorer scorer) {
    this.operators = operators;
    this.scorer = scorer;
  }

  /**
   * Carries out a task.
   *
   * @param client for the operator and for the judge
   * @throws InterruptedException if the thread is interrupted
   */
  public Observation run(SampleTask task, ModelClient client) throws InterruptedException {
    OperatorRuntime sampling = operators.forSample(task.label(), task.exampleId());
    OperatorOutcome outcome = sampling.run(task.operator(), task.physical(), task.input(), client);
    return observation(task, outcome, scorer.score(task, outcome, client, sampling.references()));
  }

  private static Observation observation(SampleTask task, OperatorOutcome outcome, Score score) {
    List<Document> outputs =
        outcome instanceof OperatorOutcome.Kept kept ? kept.documents() : List.of();
    Outcome kind =
        switch (outcome) {
          case OperatorOutcome.Kept kept ->
              kept.documents().isEmpty() ? Outcome.DROPPED : Outcome.KEPT;
          case OperatorOutcome.Dropped _ -> Outcome.DROPPED;
          case OperatorOutcome.Failed _ -> Outcome.FAILED;
        };
    return new Observation(
        task.id(),
        task.program(),
        task.operator().id(),
        task.physical().id(),
        task.exampleId(),
        kind,
        outputs,
        score.quality(),
        score.scoredBy(),
        outcome.expense().cost(),
        outcome.expense().latency(),
        score.judgeCost(),
        outcome.expense().paid(),
        EvidenceLabel.apply(task, outcome.evidence()),
        score.reason());
  }
}

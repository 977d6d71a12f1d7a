package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.ParallelCalls;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries a document through the steps of a segment. The documents that one-to-many steps make of
 * it go through each step side by side, and wait for each other after it.
 */
public final class PlanExecutor {

  /** One document must not take the whole concurrency budget, which counts it as one. */
  private static final int AT_ONCE = 8;

  private final OperatorExecutor<PhysicalOperator> operators;

  /** Runs steps with these operators. */
  public PlanExecutor(OperatorExecutor<PhysicalOperator> operators) {
    this.operators = operators;
  }

  /**
   * Runs the steps that are left.
   *
   * @param from where to start; {@link Checkpoint#start} for a new document
   * @param client the model client of this document, receipts included
   * @param checkpoint told after every finished semantic step that did not end the document's way
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalArgumentException if the progress is of a plan with more steps
   */
  public PlanOutcome run(
      List<PlanStep> steps, Checkpoint from, ModelClient client, CheckpointListener checkpoint)
      throws InterruptedException {
    return run(steps, from, client, checkpoint, StepListener.NONE);
  }

  /**
   * As {@link #run(List, Checkpoint, ModelClient, CheckpointListener)}, before a witness.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public PlanOutcome run(
      List<PlanStep> steps,
      Checkpoint from,
      ModelClient client,
      CheckpointListener checkpoint,
      StepListener witness)
      throws InterruptedException {
    if (from.nextStep() > steps.size()) {
      throw new IllegalArgumentException("step %d of %d".formatted(from.nextStep(), steps.size()));
    }
    Checkpoint progress = from;
    while (progress.nextStep() < steps.size()) {
      PlanStep step = steps.get(progress.nextStep());
      String id = step.logical().id();
      List<Document> before = progress.documents();
      List<OperatorOutcome> outcomes =
          each(
              before,
              document -> operators.execute(step.logical(), step.physical(), document, client));
      ExecutionStats stats = progress.stats().plus(together(outcomes));
      List<Document> after = new ArrayList<>();
      for (int i = 0; i < outcomes.size(); i++) {
        witness.done(step, before.get(i), outcomes.get(i));
        switch (outcomes.get(i)) {
          case OperatorOutcome.Kept kept -> after.addAll(kept.documents());
          case OperatorOutcome.Dropped _ -> {
            // It leaves nothing behind.
          }
          case OperatorOutcome.Failed failed -> {
            return new PlanOutcome.Failed(
                id, failed.failure(), failed.attempts(), before.get(i), stats);
          }
        }
      }
      if (after.isEmpty()) {
        return new PlanOutcome.Filtered(id, stats);
      }
      boolean many = progress.fannedOut() || isOneToMany(step.logical());
      progress = new Checkpoint(progress.nextStep() + 1, after, many, stats);
      if (step.logical().isSemantic()) {
        checkpoint.reached(progress);
      }
    }
    return new PlanOutcome.Result(progress.documents(), progress.fannedOut(), progress.stats());
  }

  /** Side by side, in the order of the documents; a single document in the calling thread. */
  private static List<OperatorOutcome> each(
      List<Document> documents, ParallelCalls.Call<Document, OperatorOutcome> step)
      throws InterruptedException {
    return documents.size() == 1
        ? List.of(step.on(documents.getFirst()))
        : ParallelCalls.run(documents, AT_ONCE, step);
  }

  /** Whether outputs of an operator are numbered, however many there are. */
  private static boolean isOneToMany(LogicalOperator operator) {
    return switch (operator) {
      case SemanticMap map -> map.cardinality() == Cardinality.MANY;
      case ReferenceJoin join -> !join.collected();
      case LogicalOperator _ -> false;
    };
  }

  /** Side by side: costs add up, the longest takes as long as all. */
  private static ExecutionStats together(List<OperatorOutcome> outcomes) {
    double cost = 0;
    double paid = 0;
    double latency = 0;
    int calls = 0;
    for (OperatorOutcome outcome : outcomes) {
      cost += outcome.stats().cost();
      paid += outcome.stats().paid();
      latency = Math.max(latency, outcome.stats().latency());
      calls += outcome.stats().calls();
    }
    return new ExecutionStats(cost, paid, latency, calls);
  }
}

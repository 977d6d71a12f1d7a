package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Merge;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.ParallelCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Runs the steps of a segment on a document. After a one-to-many step, the outputs of the document
 * run through each further step in parallel, and the next step starts when all have finished.
 *
 * <p>The steps run in their order. In a segment with branches, the inputs of the operators state
 * the order instead ({@link BranchExecutor}).
 */
public final class PlanExecutor {

  /** Bounds the calls of one document, which counts once in the limit of documents in flight. */
  private static final int CONCURRENCY = 8;

  private final OperatorExecutor<PhysicalOperator> operators;

  /** Runs steps with these operators. */
  public PlanExecutor(OperatorExecutor<PhysicalOperator> operators) {
    this.operators =
        (operator, technique, document, client) ->
            CallPurpose.current()
                .of(operator.id())
                .call(() -> operators.execute(operator, technique, document, client));
  }

  /** An executor whose operators are decorated. */
  public PlanExecutor around(UnaryOperator<OperatorExecutor<PhysicalOperator>> decorator) {
    return new PlanExecutor(decorator.apply(operators));
  }

  /**
   * Runs the remaining steps without a step listener.
   *
   * @see #run(List, Checkpoint, ModelClient, Consumer, StepListener)
   */
  public PlanOutcome run(
      List<PlanStep> steps, Checkpoint from, ModelClient client, Consumer<Checkpoint> checkpoints)
      throws InterruptedException {
    return run(steps, from, client, checkpoints, StepListener.NONE);
  }

  /**
   * Runs the remaining steps.
   *
   * @param from where to start; {@link Checkpoint#start} for a new document
   * @param client the model client of this document, receipts included
   * @param checkpoints called by this thread after every semantic step, unless the step ended the
   *     execution
   * @param listener called by this thread for every outcome of a step
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalArgumentException if the checkpoint is behind the last step
   */
  public PlanOutcome run(
      List<PlanStep> steps,
      Checkpoint from,
      ModelClient client,
      Consumer<Checkpoint> checkpoints,
      StepListener listener)
      throws InterruptedException {
    if (from.nextStep() > steps.size()) {
      throw new IllegalArgumentException("step %d of %d".formatted(from.nextStep(), steps.size()));
    }
    if (from.nextStep() == 0 && steps.stream().anyMatch(step -> step.logical() instanceof Merge)) {
      return new BranchExecutor(operators, CONCURRENCY, steps, from, client, listener)
          .run(checkpoints);
    }
    Checkpoint current = from;
    while (current.nextStep() < steps.size()) {
      PlanStep step = steps.get(current.nextStep());
      String operator = step.logical().id();
      List<Document> inputs = current.documents();
      List<OperatorOutcome> outcomes = execute(step, inputs, client);
      ExecutionStats stats = current.stats().plus(total(outcomes));
      List<Document> outputs = new ArrayList<>();
      for (int i = 0; i < outcomes.size(); i++) {
        listener.stepFinished(step, inputs.get(i), outcomes.get(i));
        switch (outcomes.get(i)) {
          case OperatorOutcome.Kept kept -> outputs.addAll(kept.documents());
          case OperatorOutcome.Dropped _ -> {
            // No output.
          }
          case OperatorOutcome.Failed failed -> {
            return new PlanOutcome.Failed(
                operator, failed.failure(), failed.attempts(), inputs.get(i), stats);
          }
        }
      }
      if (outputs.isEmpty()) {
        return new PlanOutcome.Filtered(operator, stats);
      }
      boolean fannedOut = current.fannedOut() || step.logical().outputs().mayBeSeveral();
      current = new Checkpoint(current.nextStep() + 1, outputs, fannedOut, stats);
      if (step.logical().isSemantic()) {
        checkpoints.accept(current);
      }
    }
    return new PlanOutcome.Result(current.documents(), current.fannedOut(), current.stats());
  }

  /** The outcomes in the order of the documents; a single document runs in this thread. */
  private List<OperatorOutcome> execute(PlanStep step, List<Document> inputs, ModelClient client)
      throws InterruptedException {
    ParallelCalls.Call<Document, OperatorOutcome> call =
        input -> operators.execute(step.logical(), step.physical(), input, client);
    return inputs.size() == 1
        ? List.of(call.on(inputs.getFirst()))
        : ParallelCalls.run(inputs, CONCURRENCY, call);
  }

  /** The sum of costs and calls, and the maximum latency. */
  private static ExecutionStats total(List<OperatorOutcome> outcomes) {
    return ExecutionStats.inParallel(
        outcomes.stream().map(OperatorOutcome::stats).toList(), outcomes.size());
  }
}

package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Merge;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.ParallelCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a segment on a document. After a one-to-many step, the outputs of the document
 * run through each further step in parallel, and the next step starts when all have finished.
 *
 * <p>The steps run in their order. In a segment with branches, the inputs of the operators state
 * the order instead ({@link BranchExecutor}). Adjacent filters may run in an order of the document
 * ({@link FilterOrder}): checkpoints between them state which ones have passed it, so it meets each
 * of them once, even if the next owner of the partition does not know the order.
 */
public final class PlanExecutor {

  /** Bounds the calls of one document, which counts once in the limit of documents in flight. */
  private static final int CONCURRENCY = 8;

  private final OperatorExecutor operators;
  private final @Nullable FilterOrder order;

  /** Runs steps with these operators. */
  public PlanExecutor(OperatorExecutor operators) {
    this(operators, null);
  }

  private PlanExecutor(OperatorExecutor operators, @Nullable FilterOrder order) {
    this.order = order;
    this.operators =
        (operator, technique, document, client) ->
            CallPurpose.current()
                .of(operator.id())
                .call(() -> operators.execute(operator, technique, document, client));
  }

  /** An executor whose operators are decorated. */
  public PlanExecutor around(UnaryOperator<OperatorExecutor> decorator) {
    return new PlanExecutor(decorator.apply(operators), order);
  }

  /** An executor in which a document meets adjacent filters in an order of its own. */
  public PlanExecutor ordered(FilterOrder ofDocument) {
    return new PlanExecutor(operators, ofDocument);
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
      return new BranchExecutor(operators, steps, from, client, listener).run(checkpoints);
    }
    Checkpoint current = from;
    List<PlanStep> run = List.of();
    List<PlanStep> ahead = List.of();
    while (current.nextStep() < steps.size()) {
      if (ahead.isEmpty()) {
        run = run(steps, current);
        ahead = ahead(run, current);
      }
      PlanStep step = ahead.getFirst();
      ahead = ahead.subList(1, ahead.size());
      String operator = step.logical().id();
      List<Document> inputs = current.documents();
      List<OperatorOutcome> outcomes = execute(operators, step, inputs, client);
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
        return new PlanOutcome.Filtered(operator, stats.plus(beyond(run, ahead, inputs, client)));
      }
      boolean fannedOut = current.fannedOut() || step.logical().outputs().mayBeSeveral();
      current =
          ahead.isEmpty()
              ? new Checkpoint(current.nextStep() + run.size(), outputs, fannedOut, stats)
              : new Checkpoint(
                  current.nextStep(), outputs, false, stats, current.branches().and(operator));
      if (step.logical().isSemantic()) {
        checkpoints.accept(current);
      }
    }
    return new PlanOutcome.Result(current.documents(), current.fannedOut(), current.stats());
  }

  /** The next step, or the adjacent filters whose order may be that of the document. */
  private List<PlanStep> run(List<PlanStep> steps, Checkpoint at) {
    List<PlanStep> rest = steps.subList(at.nextStep(), steps.size());
    boolean asWritten = order == null && at.branches().isEmpty();
    long filters =
        asWritten || at.fannedOut()
            ? 1
            : rest.stream().takeWhile(step -> LearnedOrder.mayMove(step.logical())).count();
    return rest.subList(0, (int) Math.max(1, filters));
  }

  /** The steps of a run that have not finished, in the order of the document. */
  private List<PlanStep> ahead(List<PlanStep> run, Checkpoint at) throws InterruptedException {
    List<PlanStep> ordered =
        order == null || run.size() == 1 ? run : order.of(run, at.documents().getFirst());
    return ordered.stream()
        .filter(step -> !at.branches().finished().contains(step.logical().id()))
        .toList();
  }

  /** Asks the filters that a dropped document has not met, if it shows what each order costs. */
  private ExecutionStats beyond(
      List<PlanStep> run, List<PlanStep> ahead, List<Document> inputs, ModelClient client)
      throws InterruptedException {
    ExecutionStats stats = ExecutionStats.NONE;
    if (order != null && !ahead.isEmpty() && order.asksAll(run)) {
      for (PlanStep step : ahead) {
        stats = stats.plus(total(execute(operators, step, inputs, client)));
      }
    }
    return stats;
  }

  /** The outcomes in the order of the documents; a single document runs in this thread. */
  static List<OperatorOutcome> execute(
      OperatorExecutor operators, PlanStep step, List<Document> inputs, ModelClient client)
      throws InterruptedException {
    return ParallelCalls.run(
        inputs,
        CONCURRENCY,
        input -> operators.execute(step.logical(), step.physical(), input, client));
  }

  /** The sum of costs and calls, and the maximum latency. */
  static ExecutionStats total(List<OperatorOutcome> outcomes) {
    return ExecutionStats.inParallel(
        outcomes.stream().map(OperatorOutcome::stats).toList(), Math.max(1, outcomes.size()));
  }
}

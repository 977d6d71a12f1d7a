package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Stages;
import dev.abacus.topology.execution.BranchProgress.Outputs;
import dev.abacus.topology.execution.BranchProgress.Row;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.Futures;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.ParallelCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a segment with branches on a document. Each step reads the outputs of its inputs
 * and starts when all of them have finished, so branches see only their own fields and run side by
 * side.
 *
 * <pre>
 *            ┌─► map ─► filter ─┐
 *   document ┤                  ├─► join ─► map ─► outputs
 *            └─► map ───────────┘
 * </pre>
 *
 * <p>If a step drops the document, no further step starts, because the join has no output. If a
 * step fails, the other branch runs to its end: it may still drop the document. So the outcome does
 * not depend on which branch is faster.
 */
final class BranchExecutor {

  private final OperatorExecutor operators;
  private final ModelClient client;
  private final StepListener listener;
  private final Map<String, PlanStep> steps = new LinkedHashMap<>();
  private final List<LogicalOperator> logical;
  private final Document document;

  private final Set<String> finished = new HashSet<>();
  private final Map<String, Outputs> outputs = new HashMap<>();
  private final Map<String, PlanOutcome.Failed> failures = new HashMap<>();
  private final Set<String> running = new HashSet<>();
  private ExecutionStats stats;
  private boolean fannedOut;
  private PlanOutcome.@Nullable Filtered filtered;

  /** The end of a step. */
  private record Finished(PlanStep step, List<Row> inputs, List<OperatorOutcome> outcomes) {}

  BranchExecutor(
      OperatorExecutor operators,
      List<PlanStep> steps,
      Checkpoint from,
      ModelClient client,
      StepListener listener) {
    this.operators = operators;
    this.client = client;
    this.listener = listener;
    steps.forEach(step -> this.steps.put(step.logical().id(), step));
    this.logical = Stages.ordered(steps.stream().map(PlanStep::logical).toList());
    this.document = from.documents().getFirst();
    this.stats = from.stats();
    this.fannedOut = from.fannedOut();
    this.finished.addAll(from.branches().finished());
    this.outputs.putAll(from.branches().outputs());
  }

  /** Runs the remaining steps; calls {@code checkpoints} and the listener in this thread. */
  PlanOutcome run(Consumer<Checkpoint> checkpoints) throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletionService<Finished> results = new ExecutorCompletionService<>(threads);
      try {
        while (true) {
          List<LogicalOperator> ready = ready();
          if (ready.isEmpty() && running.isEmpty()) {
            return outcome();
          }
          boolean alone = ready.size() == 1 && running.isEmpty();
          for (LogicalOperator operator : ready) {
            PlanStep step = Objects.requireNonNull(steps.get(operator.id()));
            List<Row> inputs = inputs(operator);
            running.add(operator.id());
            if (alone) {
              end(execute(step, inputs), checkpoints);
            } else {
              results.submit(ParallelCalls.inContext(() -> execute(step, inputs)));
            }
          }
          if (!alone) {
            end(Futures.result(results.take()), checkpoints);
          }
        }
      } catch (InterruptedException | RuntimeException | Error e) {
        threads.shutdownNow();
        throw e;
      }
    }
  }

  private List<LogicalOperator> ready() {
    if (filtered != null) {
      return List.of();
    }
    return logical.stream()
        .filter(operator ->
            !finished.contains(operator.id())
                && !running.contains(operator.id())
                && !failures.containsKey(operator.id())
                && operator.inputs().stream().allMatch(this::isAvailable))
        .toList();
  }

  private boolean isAvailable(String input) {
    return !steps.containsKey(input) || finished.contains(input);
  }

  private Outputs output(String node) {
    return steps.containsKey(node)
        ? Objects.requireNonNull(outputs.get(node), "kept until its readers have finished")
        : new Outputs(List.of(new Row(document, Map.of())), 0);
  }

  private List<Row> inputs(LogicalOperator operator) {
    return operator instanceof Merge merge
        ? BranchProgress.joined(
            output(merge.input()).rows(),
            output(merge.with()).rows(),
            BranchFields.of(merge, logical))
        : output(operator.input()).rows();
  }

  private Finished execute(PlanStep step, List<Row> inputs) throws InterruptedException {
    List<Document> documents = inputs.stream().map(Row::document).toList();
    return new Finished(step, inputs, PlanExecutor.execute(operators, step, documents, client));
  }

  private void end(Finished result, Consumer<Checkpoint> checkpoints) {
    LogicalOperator operator = result.step.logical();
    String id = operator.id();
    running.remove(id);
    ExecutionStats own = PlanExecutor.total(result.outcomes);
    double latency = own.latency();
    for (String input : operator.inputs()) {
      latency = Math.max(latency, output(input).latency() + own.latency());
    }
    stats = stats.beside(own, latency);
    boolean numbered = operator.outputs().mayBeSeveral();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < result.outcomes.size(); i++) {
      Row input = result.inputs.get(i);
      OperatorOutcome outcome = result.outcomes.get(i);
      listener.stepFinished(result.step, input.document(), outcome);
      switch (outcome) {
        case OperatorOutcome.Kept kept -> {
          for (int number = 0; number < kept.documents().size(); number++) {
            Document made = kept.documents().get(number);
            rows.add(numbered ? input.chosen(id, number, made) : input.with(made));
          }
        }
        case OperatorOutcome.Dropped _ -> {
          // No output.
        }
        case OperatorOutcome.Failed failed -> {
          failures.putIfAbsent(
              id,
              new PlanOutcome.Failed(
                  id, failed.failure(), failed.attempts(), input.document(), stats));
        }
      }
    }
    if (failures.containsKey(id)) {
      return;
    }
    if (rows.isEmpty()) {
      filtered = filtered == null ? new PlanOutcome.Filtered(id, stats) : filtered;
      return;
    }
    fannedOut |= numbered;
    finished.add(id);
    outputs.put(id, new Outputs(rows, latency));
    if (operator.isSemantic()) {
      checkpoints.accept(checkpoint());
    }
  }

  private Checkpoint checkpoint() {
    Map<String, Outputs> needed = new HashMap<>();
    outputs.forEach((id, output) -> {
      List<LogicalOperator> readers =
          logical.stream().filter(operator -> operator.inputs().contains(id)).toList();
      if (readers.isEmpty() || readers.stream().anyMatch(one -> !finished.contains(one.id()))) {
        needed.put(id, output);
      }
    });
    return new Checkpoint(
        0, List.of(document), fannedOut, stats, new BranchProgress(finished, needed));
  }

  private PlanOutcome outcome() {
    if (filtered != null) {
      return new PlanOutcome.Filtered(filtered.operator(), stats);
    }
    for (LogicalOperator operator : logical) {
      PlanOutcome.Failed failed = failures.get(operator.id());
      if (failed != null) {
        return new PlanOutcome.Failed(
            failed.operator(), failed.failure(), failed.attempts(), failed.document(), stats);
      }
    }
    List<Row> rows = output(logical.getLast().id()).rows();
    return new PlanOutcome.Result(rows.stream().map(Row::document).toList(), fannedOut, stats);
  }
}

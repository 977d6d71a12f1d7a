package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.budget.BudgetMeter;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.input.OperatorInput;
import dev.abacus.optimizer.loop.input.OperatorInputs;
import dev.abacus.optimizer.loop.input.SampleRequest;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Draws the samples that the policy asks for, as far as their inputs are known and the budget pays
 * for them.
 *
 * @param state of the sampling, with the examples in the search
 * @param pipelined whether a wave has samples of several operators
 */
record WaveDraw(
    ProgramSnapshot view,
    OperatorInputs inputs,
    TaskFactory tasks,
    SamplingState state,
    boolean pipelined) {

  /** Ids of the examples of an operator in the search. */
  private List<String> examples(LogicalOperator operator) {
    return state.operators().stream()
        .filter(known -> known.operator().equals(operator.id()))
        .flatMap(known -> known.examples().stream())
        .toList();
  }

  /** The samples, charged to the budget. */
  List<DrawnSample> draw(Proposal proposal, BudgetMeter budget, boolean beyondShare) {
    List<DrawnSample> samples = new ArrayList<>();
    Set<String> drawn = new LinkedHashSet<>();
    Set<String> producing = new LinkedHashSet<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      for (Pull pull : proposal.pulls(operator.id())) {
        Pull feasible = feasible(pull, operator, producing);
        List<DrawnSample> call = feasible == null ? List.of() : call(feasible, operator, drawn);
        List<SampleTask> paid = call.stream().map(DrawnSample::task).toList();
        if (!call.isEmpty() && budget.reserve(paid, operator.id(), beyondShare)) {
          paid.forEach(task -> drawn.add(task.id()));
          samples.addAll(call);
        }
      }
      samples.forEach(sample -> producing.add(sample.task().operator().id()));
      if (!pipelined && !samples.isEmpty()) {
        break;
      }
    }
    return samples;
  }

  /** The sample of a pull together with those that share its call; empty if it was drawn. */
  private List<DrawnSample> call(Pull pull, LogicalOperator chargedTo, Set<String> drawn) {
    LogicalOperator operator = Objects.requireNonNull(view.program().operator(pull.operator()));
    if (!(inputs.of(operator, pull.exampleId()) instanceof OperatorInput.Ready input)) {
      return List.of();
    }
    DrawnSample sample =
        tasks.create(
            new SampleRequest(
                operator,
                Objects.requireNonNull(view.findArm(operator, pull.arm().id())),
                pull.exampleId(),
                input),
            chargedTo.id());
    return drawn.contains(sample.task().id()) || !tasks.mayIssue(sample.task())
        ? List.of()
        : new BatchedSamples(view, inputs, tasks).around(sample, examples(operator), drawn);
  }

  /**
   * The pull itself if its input is ready; else a pull upstream that produces the input; null if
   * another pull of this wave produces it.
   */
  private @Nullable Pull feasible(Pull pull, LogicalOperator operator, Set<String> producing) {
    return switch (inputs.of(operator, pull.exampleId())) {
      case OperatorInput.Ready _ -> pull;
      case OperatorInput.Wanting(LogicalOperator producer, String exampleId) ->
          isFed(operator, view.program(), producing)
              ? null
              : new Pull(producer.id(), Arm.of(inputs.bestArm(producer)), exampleId);
      case OperatorInput.Barred _, OperatorInput.Foreign _ -> null;
    };
  }

  /** Whether an operator upstream is already sampled in this wave. */
  private static boolean isFed(LogicalOperator operator, Program program, Set<String> producing) {
    return operator.inputs().stream()
        .flatMap(input -> BranchFields.upstream(input, program.operators()).stream())
        .anyMatch(producing::contains);
  }
}

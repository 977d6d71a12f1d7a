package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.input.BranchFields;
import dev.abacus.optimizer.loop.input.OperatorInput;
import dev.abacus.optimizer.loop.input.OperatorInputs;
import dev.abacus.optimizer.loop.state.BudgetMeter;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.state.StampedTask;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which samples are drawn next, all together as one wave; the next wave is decided on when
 * all of them are in. So what is drawn depends on what the samples show and not on how soon they
 * are back, and an operator downstream always gets the output of the best operator upstream of all
 * that finished.
 *
 * <p>Operators are staggered: while one takes its second round, the one after it takes its first,
 * on the outputs of the first. Where an operator goes on longer than those upstream of it, these
 * are sampled with their best implementation just for their outputs, on the budget of the operator
 * that needs them. So the time to a plan grows with the slowest operator, and with each further one
 * by a single round at most; not with the sum of all.
 */
public final class WavePlanner {

  private final long seed;
  private final SamplingPolicy policy;
  private final boolean pipelined;

  /** Features are read off an implementation once. */
  private final Map<PhysicalOperator, Arm> arms = new HashMap<>();

  public WavePlanner(long seed, SamplingPolicy policy, boolean pipelined) {
    this.seed = seed;
    this.policy = policy;
    this.pipelined = pipelined;
  }

  /**
   * The next wave.
   *
   * @param samples those that can be drawn and paid for
   * @param proposal what was wanted; with pulls left and no samples, the budget is spent
   */
  record Wave(List<StampedTask> samples, Proposal proposal) {

    boolean isEmpty() {
      return samples.isEmpty();
    }
  }

  /** What the policy decides on, given the view. */
  SamplingState situation(ProgramSnapshot view, OperatorInputs inputs, Objective objective) {
    List<OperatorSamples> operators = new ArrayList<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      operators.add(
          new OperatorSamples(
              operator.id(),
              view.arms(operator).stream().map(this::arm).toList(),
              examples(view, inputs, operator),
              view.drawn(operator)));
    }
    return new SamplingState(objective, operators);
  }

  /** All examples, those in front that the operators were tried on, the most often used first. */
  List<String> order(ProgramSnapshot view) {
    Map<String, Integer> uses = new HashMap<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      view.samples(operator)
          .values()
          .forEach(byExample -> byExample.keySet().forEach(id -> uses.merge(id, 1, Integer::sum)));
    }
    return view.examples().stream()
        .map(ValidationExample::id)
        .sorted(
            Comparator.comparingInt((String id) -> -uses.getOrDefault(id, 0))
                .thenComparingLong(id -> SeededHash.of(seed, id))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  private Arm arm(PhysicalOperator physical) {
    return arms.computeIfAbsent(physical, Arm::of);
  }

  /** In use first, in order of first use; then shuffled, those whose input is ready in front. */
  private List<String> examples(
      ProgramSnapshot view, OperatorInputs inputs, LogicalOperator operator) {
    Set<String> order = new LinkedHashSet<>(view.examplesInUse(operator));
    List<String> shuffled =
        view.examples().stream()
            .map(ValidationExample::id)
            .sorted(
                Comparator.comparingLong((String id) -> SeededHash.of(seed, id))
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    shuffled.stream()
        .filter(id -> inputs.of(operator, id) instanceof OperatorInput.Ready)
        .forEach(order::add);
    order.addAll(shuffled);
    return order.stream().filter(id -> canBeRead(inputs.of(operator, id))).toList();
  }

  private static boolean canBeRead(OperatorInput input) {
    return switch (input) {
      case OperatorInput.Ready _, OperatorInput.Wanting _ -> true;
      case OperatorInput.Barred _, OperatorInput.Foreign _ -> false;
    };
  }

  /** The next wave under an objective; reserves from the budget what it takes. */
  Wave next(
      ProgramSnapshot view,
      OperatorInputs inputs,
      Objective objective,
      BudgetMeter budget,
      TaskFactory tasks) {
    Proposal proposal = policy.propose(situation(view, inputs, objective));
    List<StampedTask> samples = draw(view, inputs, proposal, budget, tasks, false);
    if (samples.isEmpty() && !proposal.pulls().isEmpty()) {
      samples = draw(view, inputs, proposal, budget, tasks, true);
    }
    return new Wave(samples, proposal);
  }

  private List<StampedTask> draw(
      ProgramSnapshot view,
      OperatorInputs inputs,
      Proposal proposal,
      BudgetMeter budget,
      TaskFactory tasks,
      boolean beyondShare) {
    List<StampedTask> samples = new ArrayList<>();
    Set<String> drawn = new LinkedHashSet<>();
    Set<String> producing = new LinkedHashSet<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      for (Pull pull : proposal.pulls(operator.id())) {
        Pull feasible = feasible(pull, operator, view, inputs, producing);
        if (feasible == null) {
          continue;
        }
        LogicalOperator sampled =
            Objects.requireNonNull(view.program().operator(feasible.operator()));
        if (inputs.of(sampled, feasible.exampleId()) instanceof OperatorInput.Ready input) {
          StampedTask sample =
              tasks.create(
                  sampled,
                  view.arm(sampled, feasible.arm().id()),
                  feasible.exampleId(),
                  input,
                  operator.id(),
                  samples.size());
          if (!drawn.contains(sample.task().id())
              && !tasks.isKnown(sample.task().id())
              && budget.reserve(sample.task(), operator.id(), beyondShare)) {
            drawn.add(sample.task().id());
            samples.add(sample);
          }
        }
      }
      samples.forEach(sample -> producing.add(sample.task().operator().id()));
      if (!pipelined && !samples.isEmpty()) {
        break;
      }
    }
    return samples;
  }

  /** The pull itself, or one upstream for the output that it lacks; null to wait for the latter. */
  private static @Nullable Pull feasible(
      Pull pull,
      LogicalOperator operator,
      ProgramSnapshot view,
      OperatorInputs inputs,
      Set<String> producing) {
    return switch (inputs.of(operator, pull.exampleId())) {
      case OperatorInput.Ready _ -> pull;
      case OperatorInput.Wanting(LogicalOperator producer, String exampleId) ->
          isFed(operator, view.program(), producing) || view.arms(producer).isEmpty()
              ? null
              : new Pull(producer.id(), Arm.of(inputs.bestArm(producer)), exampleId);
      case OperatorInput.Barred _, OperatorInput.Foreign _ -> null;
    };
  }

  /** Whether an operator upstream is sampled in this wave anyway. */
  private static boolean isFed(LogicalOperator operator, Program program, Set<String> producing) {
    return operator.inputs().stream()
        .flatMap(input -> BranchFields.upstream(input, program).stream())
        .anyMatch(producing::contains);
  }
}

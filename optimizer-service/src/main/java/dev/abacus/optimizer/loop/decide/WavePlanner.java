package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.budget.BudgetMeter;
import dev.abacus.optimizer.loop.decide.DecisionMaker.Strategy;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.optimizer.loop.input.OperatorInput;
import dev.abacus.optimizer.loop.input.OperatorInputs;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.schemas.observation.Selection;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SampleBudget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Plans the next wave of samples. A wave is issued as a whole, and the next one is planned when all
 * of its observations are in. So the samples depend on the observations, not on the order in which
 * they arrive.
 *
 * <p>Operators are pipelined: while one operator draws its second round, the operator downstream
 * draws its first, on the outputs of the first round. If an operator needs more examples than those
 * upstream were sampled on, the best implementation upstream is run for its output only, on the
 * budget of the operator that needs it. So each further operator adds at most one round to the time
 * to a plan.
 *
 * @param inputs of the operators in the snapshot
 * @param heldBack examples that the search does not use
 */
record WavePlanner(
    ProgramSnapshot view, OperatorInputs inputs, Strategy strategy, HeldBackRuns heldBack) {

  /**
   * A wave of samples.
   *
   * @param samples samples that can be drawn and paid for
   * @param proposal what the policy asked for; pulls without samples mean that the budget is spent
   */
  record Wave(List<DrawnSample> samples, Proposal proposal) {

    boolean isEmpty() {
      return samples.isEmpty();
    }
  }

  /** The input of the policy. */
  SamplingState state() {
    List<OperatorSamples> operators = new ArrayList<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      operators.add(
          new OperatorSamples(
              operator.id(),
              view.arms(operator).stream().map(this::arm).toList(),
              examples(operator),
              view.sampled(operator).byArm(),
              view.sampled(operator).readings()));
    }
    return new SamplingState(
        view.program().objective(),
        operators,
        view.program().sampleBudget() instanceof SampleBudget.Dollars,
        view.program().mixes(),
        strategy.confirmation().boundProbability(),
        null);
  }

  /**
   * The state with the runs of whole plans on held-back examples, and all other evidence, besides
   * the samples. It serves to choose a plan, not to propose samples.
   */
  SamplingState withAllEvidence(SamplingState state) {
    return state.map(operator ->
        operator.withReadings(
            view.sampled(Objects.requireNonNull(view.program().operator(operator.operator())))
                .readings(heldBack.examples())));
  }

  /** The ids of all examples: the most often sampled first, ties in seeded random order. */
  List<String> order() {
    Map<String, Integer> uses = new HashMap<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      view.sampled(operator)
          .byArm()
          .values()
          .forEach(byExample -> byExample.keySet().forEach(id -> uses.merge(id, 1, Integer::sum)));
    }
    return view.examples().stream()
        .map(ValidationExample::id)
        .sorted(
            Comparator.comparingInt((String id) -> -uses.getOrDefault(id, 0))
                .thenComparing(heldBack.shuffled("")))
        .toList();
  }

  /** The ids of {@link #order} that are not held back from the search. */
  List<String> searchable() {
    return order().stream().filter(heldBack.examples().negate()).toList();
  }

  private Arm arm(PhysicalOperator physical) {
    return strategy.arms().computeIfAbsent(physical, Arm::of);
  }

  /**
   * The ids of the examples for an operator: those in use in order of first use, then those whose
   * input is ready, then the others, both with labels on request first, live documents last, and
   * else in seeded random order, as far as {@link ExampleOrder} keeps it.
   */
  private List<String> examples(LogicalOperator operator) {
    Set<String> order = new LinkedHashSet<>(view.sampled(operator).examples());
    Predicate<String> unseen = heldBack.examples();
    List<String> shuffled =
        view.examples().stream()
            .sorted(
                Comparator.comparing((ValidationExample example) -> !isCorrected(example))
                    .thenComparing(example -> ExampleIds.isLive(example.id()))
                    .thenComparing(ValidationExample::id, heldBack.shuffled("")))
            .map(ValidationExample::id)
            .toList();
    List<String> free =
        shuffled.stream()
            .filter(id -> !order.contains(id) && !unseen.test(id))
            .collect(Collectors.toCollection(ArrayList::new));
    List<String> ready =
        free.stream().filter(id -> inputs.of(operator, id) instanceof OperatorInput.Ready).toList();
    free.removeAll(new HashSet<>(ready));
    order.removeIf(unseen);
    ExampleOrder byLabels = new ExampleOrder(operator, view);
    List<String> next = new ArrayList<>(byLabels.rarerFirst(ready));
    next.addAll(byLabels.rarerFirst(free));
    order.addAll(byLabels.keptFirst(next));
    return order.stream().filter(id -> canBeRead(inputs.of(operator, id))).toList();
  }

  /**
   * Whether the example is a live document with a label that was not chosen because of answers. If
   * others were preferred, the documents that are sampled would be chosen, too.
   */
  private static boolean isCorrected(ValidationExample example) {
    return example.id().startsWith(ExampleIds.COPIED)
        && !example.labels().isEmpty()
        && example.selected() == Selection.NONE;
  }

  private static boolean canBeRead(OperatorInput input) {
    return switch (input) {
      case OperatorInput.Ready _, OperatorInput.Wanting _ -> true;
      case OperatorInput.Barred _, OperatorInput.Foreign _ -> false;
    };
  }

  /** Plans the next wave and reserves its cost in the budget. */
  Wave next(SamplingState state, BudgetMeter budget, TaskFactory tasks) {
    Proposal proposal = strategy.policy().propose(withoutLeftOut(state));
    WaveDraw draw = new WaveDraw(view, inputs, tasks, state, strategy.pipelined());
    List<DrawnSample> samples = draw.draw(proposal, budget, false);
    // The operators that wait for a model keep their shares.
    boolean stalled = view.availability().isStalled();
    if (samples.isEmpty() && !proposal.pulls().isEmpty() && !stalled) {
      samples = draw.draw(proposal, budget, true);
    }
    return new Wave(samples, proposal);
  }

  /** The state without the implementations whose models do not answer. */
  private SamplingState withoutLeftOut(SamplingState state) {
    if (view.availability().outages().isEmpty()) {
      return state;
    }
    return state.map(samples -> {
      LogicalOperator operator =
          Objects.requireNonNull(view.program().operator(samples.operator()));
      Set<String> leftOut = new HashSet<>();
      for (PhysicalOperator arm : view.arms(operator)) {
        if (view.availability().isLeftOut(operator.id(), arm)) {
          leftOut.add(arm.id());
        }
      }
      return samples.withArms(
          samples.arms().stream().filter(arm -> !leftOut.contains(arm.id())).toList());
    });
  }
}

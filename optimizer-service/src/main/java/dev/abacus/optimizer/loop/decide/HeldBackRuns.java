package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.decide.DecisionMaker.Strategy;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.wholeplan.CrossFitting;
import dev.abacus.optimizer.loop.wholeplan.PlanRace;
import dev.abacus.optimizer.loop.wholeplan.ReachedOperators;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The runs of whole plans on examples that the search does not use, or on folds of all examples if
 * they are too few to hold some back.
 *
 * @param reached the operators that such runs reach
 */
record HeldBackRuns(ProgramSnapshot view, Strategy strategy, ReachedOperators reached) {

  /** With a budget in dollars; more examples hardly narrow an interval. */
  private static final int MOST_RUNS = 200;

  /** Tells of the id of an example whether the search does not see it. */
  Predicate<String> examples() {
    int given = given().size();
    return id ->
        !ExampleIds.isLive(id) && strategy.confirmation().isHeldBack(strategy.seed(), id, given);
  }

  /** The examples without live documents: what a plan is measured on does not change with them. */
  private List<ValidationExample> given() {
    return view.examples().stream().filter(example -> !ExampleIds.isLive(example.id())).toList();
  }

  /** A seeded random order of ids; another one for each prefix. */
  Comparator<String> shuffled(String prefix) {
    return Comparator.comparingLong((String id) -> SeededHash.of(strategy.seed(), prefix + id))
        .thenComparing(Comparator.naturalOrder());
  }

  /** The held-back examples that no implementation was sampled on, in seeded random order. */
  List<ValidationExample> unused() {
    Set<String> used = new HashSet<>();
    Predicate<String> heldBack = examples();
    view.program()
        .semanticOperators()
        .forEach(operator -> used.addAll(view.sampled(operator).examples()));
    return view.examples().stream()
        .filter(
            example -> example.source().equals(reached.source()) && !used.contains(example.id()))
        .filter(example -> heldBack.test(example.id()))
        .sorted(Comparator.comparing(ValidationExample::id, shuffled("")))
        .toList();
  }

  /**
   * The examples in folds, if they are too few to hold some back; else empty. Depends on the seed
   * and the ids.
   */
  List<List<ValidationExample>> folds() {
    List<ValidationExample> given = given();
    List<ValidationExample> examples =
        given.stream()
            .filter(example -> example.source().equals(reached.source()))
            .sorted(Comparator.comparing(ValidationExample::id, shuffled("fold\n")))
            .toList();
    if (reached.semantic(view.program()).isEmpty()
        || !strategy.confirmation().isCrossFitted(examples.size(), given.size())) {
      return List.of();
    }
    return IntStream.range(0, CrossFitting.FOLDS)
        .mapToObj(fold ->
            IntStream.range(0, examples.size())
                .filter(i -> i % CrossFitting.FOLDS == fold)
                .mapToObj(examples::get)
                .toList())
        .toList();
  }

  /** The samples of an operator on held-back examples, by implementation id and example id. */
  private Map<String, Map<String, Sample>> runs(LogicalOperator operator) {
    return OperatorSamples.ofExamples(view.sampled(operator).alongPlans(), examples());
  }

  /**
   * Ids of the implementations that were run on held-back examples, by operator id.
   *
   * @param most whether only those that were run on the most examples
   */
  Map<String, Set<String>> implementations(boolean most) {
    Map<String, Set<String>> run = new HashMap<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      Map<String, Map<String, Sample>> runs = runs(operator);
      int examples = runs.values().stream().mapToInt(Map::size).max().orElse(0);
      runs.forEach((id, on) -> {
        if (!most || on.size() == examples) {
          run.computeIfAbsent(operator.id(), _ -> new HashSet<>()).add(id);
        }
      });
    }
    return run;
  }

  /**
   * Number of samples of an operator on held-back examples.
   *
   * @param calls whether the samples of a full call count as one
   */
  private int number(LogicalOperator operator, boolean calls) {
    double runs = 0;
    for (Map.Entry<String, Map<String, Sample>> arm : runs(operator).entrySet()) {
      PhysicalOperator physical = calls ? view.findArm(operator, arm.getKey()) : null;
      int size = physical == null ? 1 : physical.documentsPerCall();
      runs += Math.ceil((double) arm.getValue().size() / size);
    }
    return (int) runs;
  }

  /** The conditions of a race for the budget of the program. */
  PlanRace.Conditions conditions(PlanChoice chosen, Beliefs beliefs) {
    Program program = view.program();
    Confirmation confirmation = strategy.confirmation();
    List<ValidationExample> unused = unused();
    List<LogicalOperator> steps = reached.semantic(program);
    double share = confirmation.share();
    double runs =
        steps.isEmpty() || unused.isEmpty()
            ? 0
            : switch (program.sampleBudget()) {
              case SampleBudget.Invocations(int samples) -> share * samples / steps.size();
              case SampleBudget.Dollars(double usd) ->
                  Math.min(
                      MOST_RUNS,
                      share * usd / Math.max(1e-9, view.costWithoutStore(chosen, beliefs)));
              // The budget meter ends the runs where they need more tokens than the samples did.
              case SampleBudget.Tokens _ ->
                  Math.min(MOST_RUNS, share / (1 - share) * view.observed() / steps.size());
            };
    return new PlanRace.Conditions(
        unused,
        (int) runs,
        runsBefore(steps),
        program.sampleBudget() instanceof SampleBudget.Invocations ? Integer.MAX_VALUE : MOST_RUNS,
        Confirmation.HELD_BACK,
        confirmation.boundProbability());
  }

  /**
   * Number of runs on held-back examples so far. A budget in samples pays for as many more as
   * filters save: a run that a filter drops needs fewer samples than the plan has steps.
   */
  private int runsBefore(List<LogicalOperator> steps) {
    boolean inSamples = view.program().sampleBudget() instanceof SampleBudget.Invocations;
    IntSummaryStatistics samples =
        steps.stream().mapToInt(operator -> number(operator, inSamples)).summaryStatistics();
    return inSamples ? (int) Math.ceil(samples.getAverage()) : Math.max(0, samples.getMax());
  }
}

package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.schemas.control.CacheCounts;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How a plan stands, in words for users, and what of its estimate follows from live documents.
 *
 * @param decision that chose the plan
 */
record PlanDescription(ProgramSnapshot view, Decision decision) {

  /** Logarithm of a ratio of lengths from which users are told. */
  private static final double NOTABLE_RATIO = 0.1;

  /** Savings of the answer store from which users are told. */
  private static final double NOTABLE_PERCENT = 0.1;

  String of(PhysicalPlan plan) {
    Standing standing = plan.standing();
    return (standing.bounds().isEmpty() ? "" : "; " + standing.sentence())
        + infeasible(standing)
        + mixture(plan)
        + unpromised(plan)
        + beside()
        + storedAnswers(plan)
        + liveLengths()
        + ofSteps(plan, this::liveBatches)
        + ofSteps(plan, this::promptCaches)
        + fanouts(plan);
  }

  /** States that the plan is chosen although it misses the bounds because all others do. */
  private String infeasible(Standing standing) {
    SearchResult best = decision.best();
    return best == null || best.feasible() || standing.verdict() != Standing.Verdict.MISSES
        ? ""
        : "; no plan that was sampled is estimated to keep the bounds";
  }

  /** States what the two plans of a mixture are; else empty. */
  private static String mixture(PhysicalPlan plan) {
    Mixture mixture = plan.choice().mixture();
    return mixture == null
        ? ""
        : "; a mixture of two plans: %s get %s, the others %s"
            .formatted(
                mixture.keys(), amounts(mixture.plan().estimate()), amounts(mixture.others()));
  }

  private static String amounts(Estimate estimate) {
    return String.format(
        Locale.ROOT, "quality %.3f for $%.6f", estimate.quality(), estimate.cost());
  }

  /** States why a plan of a finished search has no promise; else empty. */
  private String unpromised(PhysicalPlan plan) {
    String why = decision.unpromised();
    return why == null || plan.promise() != null || view.program().semanticOperators().isEmpty()
        ? ""
        : "; not promised: " + why;
  }

  /** States what live documents beside the plan tell, and what they do not; empty for none. */
  private String beside() {
    int documents = view.totals().live().documents();
    return documents == 0
        ? ""
        : "; %d live documents tell how implementations differ, bounds of quality rest on labels and judge"
            .formatted(documents);
  }

  /** States what the answer store saves, if it does. */
  private String storedAnswers(PhysicalPlan plan) {
    double without = view.costWithoutStore(plan.choice(), decision.beliefs());
    double cost = plan.choice().estimate().cost();
    double percent = 100 * (1 - cost / without);
    return without > 0 && percent >= NOTABLE_PERCENT
        ? String.format(Locale.ROOT, "; the answer store saves %.1f %% of $%.6f", percent, without)
        : "";
  }

  /** States that live documents are longer or shorter than the examples; else empty. */
  private String liveLengths() {
    return view.liveLengths().entrySet().stream()
        .filter(ratio -> Math.abs(Math.log(ratio.getValue())) > NOTABLE_RATIO)
        .map(ratio ->
            String.format(
                Locale.ROOT,
                "; live documents of '%s' are %.2f times as long as the examples",
                ratio.getKey(),
                ratio.getValue()))
        .collect(Collectors.joining());
  }

  private static String ofSteps(PhysicalPlan plan, Function<PlanStep, String> text) {
    return plan.choice().allSteps().stream().map(text).collect(Collectors.joining());
  }

  /** States that live documents do not fill the calls for several documents; else empty. */
  private String liveBatches(PlanStep step) {
    String operator = step.logical().id();
    Double documents = view.live().unfilled(operator, step.physical());
    return documents == null
        ? ""
        : String.format(
            Locale.ROOT, "; a call of '%s' is for %.1f live documents", operator, documents);
  }

  /** States what prompt caches take off the cost of live documents; else empty. */
  private String promptCaches(PlanStep step) {
    String operator = step.logical().id();
    CacheCounts counts = view.live().cachesOf(operator).get(step.physical().id());
    return counts == null || counts.savedUsd() <= 0
        ? ""
        : String.format(
            Locale.ROOT,
            "; prompt caches save %.1f %% of the cost of '%s'",
            100 * counts.share(),
            operator);
  }

  /** States the outputs of operators over several documents, as far as they count for the cost. */
  private String fanouts(PhysicalPlan plan) {
    List<LogicalOperator> operators = plan.steps().stream().map(PlanStep::logical).toList();
    Fanouts fanouts = decision.beliefs().fanouts();
    String unknown =
        decision.beliefs().unknownOutputs(plan.choice()).stream()
            .map("; the number of outputs of '%s' is not known"::formatted)
            .collect(Collectors.joining());
    return operators.stream()
            .filter(operator -> fanouts.measured().containsKey(operator.id()))
            .map(operator ->
                String.format(
                    Locale.ROOT,
                    "; '%s' has %.3f outputs per document",
                    operator.id(),
                    fanouts.of(operator).mean()))
            .collect(Collectors.joining())
        + unknown;
  }
}

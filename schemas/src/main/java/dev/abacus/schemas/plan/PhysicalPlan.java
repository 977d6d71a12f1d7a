package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An immutable, self-contained plan. It processes every document that is stamped with its epoch; no
 * other plan processes such a document.
 *
 * @param program name of the program
 * @param epoch above 0 and unique within the program; later plans have higher epochs
 * @param choice the steps and their estimate
 * @param objective the objective that the search optimized
 * @param frontier the Pareto-optimal plans of the search, this one among them; empty if unknown
 * @param basis the confidence of the estimates by operator and by id of the implementation, for
 *     sampled implementations of the plan and its frontier; empty if unknown
 * @param promise what was measured of the plan; null if it was not measured
 * @param graded the examples that the judge of live outputs sees, by operator; empty if it sees
 *     none
 * @param required probability from which a bound holds
 * @param learned the classifiers that answer for an operator's implementation, by operator; empty
 *     if none were learnt from live documents
 */
@RecordBuilder
public record PhysicalPlan(
    String program,
    long epoch,
    PlanChoice choice,
    Objective objective,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PlanChoice> frontier,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Map<String, StepEstimate>> basis,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PlanPromise promise,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, List<GradedExample>> graded,
    double required,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, LearnedAnswers> learned,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<LearnedOrder> orders) {

  /** A plan without the confidence of its estimates. */
  public PhysicalPlan(
      String program,
      long epoch,
      PlanChoice choice,
      Objective objective,
      List<PlanChoice> frontier) {
    this(
        program,
        epoch,
        choice,
        objective,
        frontier,
        Map.of(),
        null,
        Map.of(),
        Standing.REQUIRED,
        Map.of(),
        List.of());
  }

  public PhysicalPlan {
    frontier = List.copyOf(frontier);
    basis = sorted(basis, byId -> Collections.unmodifiableMap(new TreeMap<>(byId)));
    graded = sorted(graded, List::copyOf);
    learned = sorted(learned, Function.identity());
    orders = List.copyOf(orders);
    if (epoch < 1) {
      throw new IllegalArgumentException("epoch " + epoch + "; epochs start at 1");
    }
  }

  private static <V> Map<String, V> sorted(Map<String, V> byOperator, Function<V, V> copy) {
    Map<String, V> sorted = new TreeMap<>();
    byOperator.forEach((operator, value) -> sorted.put(operator, copy.apply(value)));
    return Collections.unmodifiableMap(sorted);
  }

  /** The plan with the uncertainty of its estimates, and the probability that a bound needs. */
  public PhysicalPlan with(
      Map<String, Map<String, StepEstimate>> newBasis,
      @Nullable PlanPromise newPromise,
      double newRequired) {
    return PhysicalPlanBuilder.builder(this)
        .basis(newBasis)
        .promise(newPromise)
        .required(newRequired)
        .build();
  }

  /** The plan with the examples that the judge of live outputs sees, by operator. */
  public PhysicalPlan withGraded(Map<String, List<GradedExample>> examples) {
    return PhysicalPlanBuilder.builder(this).graded(examples).build();
  }

  /**
   * The plan of another epoch with what live documents taught.
   *
   * @param answers the classifiers that answer for implementations, by operator
   * @param learnedOrders the orders of adjacent filters
   */
  public PhysicalPlan withLearned(
      long newEpoch, Map<String, LearnedAnswers> answers, List<LearnedOrder> learnedOrders) {
    return PhysicalPlanBuilder.builder(this)
        .epoch(newEpoch)
        .learned(answers)
        .orders(learnedOrders)
        .build();
  }

  /** Whether live documents taught something, which the estimate of the plan does not know. */
  public boolean isTaught() {
    return !learned.isEmpty() || !orders.isEmpty();
  }

  /** Whether the documents that reach a filter depend on a learned order. */
  public boolean isOrdered(String operator) {
    return orders.stream()
        .anyMatch(order -> order.predicted() != null && order.filters().containsKey(operator));
  }

  /** In execution order; of a mixture, those of most documents. */
  public List<PlanStep> steps() {
    return choice.steps();
  }

  public Estimate estimate() {
    return choice.estimate();
  }

  /**
   * The confidence of the estimates of a step's implementation; null if unknown. In a mixture, of
   * both implementations that the operator has, by their shares.
   */
  public @Nullable StepEstimate basis(PlanStep step) {
    StepEstimate estimate = own(step);
    Mixture mixture = choice.mixture();
    if (mixture == null || !steps().contains(step)) {
      return estimate;
    }
    StepEstimate other =
        mixture.plan().steps().stream()
            .filter(one -> one.logical().id().equals(step.logical().id()))
            .findFirst()
            .map(this::own)
            .orElse(null);
    return estimate == null || other == null ? null : estimate.mixedWith(other, mixture.share());
  }

  /** Whether all documents take a step. */
  public boolean isStepOfAll(PlanStep step) {
    return choice.parts().stream().allMatch(part -> part.steps().contains(step));
  }

  private @Nullable StepEstimate own(PlanStep step) {
    return basis.getOrDefault(step.logical().id(), Map.of()).get(step.physical().id());
  }

  /** Whether a step of the plan or of its frontier, or the judge, shows labelled examples. */
  public boolean showsExamples() {
    return !graded.isEmpty()
        || choice.showsExamples()
        || frontier.stream().anyMatch(PlanChoice::showsExamples);
  }

  /** Whether a choice has the implementations of this plan, in its order. */
  public boolean isChosen(PlanChoice other) {
    return other.signature().equals(choice.signature());
  }

  /** What the plan promises per document: its estimate, if it was not run as a whole. */
  public double promised(Dimension dimension) {
    return range(choice, dimension).mean();
  }

  /**
   * The mean of a dimension of the plan, or of one of its frontier, with its 95 % interval. The
   * cost of this plan is that with its learned orders.
   */
  public Range range(PlanChoice other, Dimension dimension) {
    boolean own = isChosen(other);
    Range range = promise != null && own ? promise.get(dimension) : other.range(dimension);
    if (own && dimension == Dimension.COST) {
      for (LearnedOrder order : orders) {
        range = order.predicted() == null ? range : ordered(range, order, order.predicted().cost());
      }
    }
    return range;
  }

  /**
   * The cost of the plan with a learned order: that of the other operators, as expected, and that
   * of the filters, as audited documents show it. It stays if nothing is known of the others.
   *
   * @param filters USD per document that meets the filters, with its interval
   */
  private Range ordered(Range whole, LearnedOrder order, Range filters) {
    double reaching = 1;
    double meeting = 0;
    double others = 0;
    for (PlanStep step : steps()) {
      boolean own = order.filters().containsKey(step.logical().id());
      StepEstimate estimate = basis(step);
      if (!own && estimate == null && step.logical().isSemantic()) {
        return whole;
      }
      meeting = own ? Math.max(meeting, reaching) : meeting;
      others += own || estimate == null ? 0 : reaching * estimate.cost().mean();
      reaching *= estimate == null ? 1 : estimate.selectivity();
    }
    double share = others == 0 ? 0 : Math.min(1, others / whole.mean());
    return Range.sum(share, whole, meeting, filters);
  }

  /** How the plan stands towards its objective: by its promise, or else by its estimate. */
  public Standing standing() {
    return promise == null ? standing(choice, objective) : promise.standing(objective, choice);
  }

  /** How the plan stands towards the objective in force, for which it may not be decided yet. */
  public Standing standing(Objective inForce) {
    return inForce.equals(objective) ? standing() : standing(choice, inForce);
  }

  /** How a plan of the frontier stands towards the objective. */
  public Standing standing(PlanChoice other) {
    return isChosen(other) ? standing() : standing(other, objective);
  }

  /** How a plan of the frontier, or this one, stands towards another objective. */
  public Standing standing(PlanChoice other, Objective towards) {
    return Standing.of(towards, other.estimate(), other.spread(), required);
  }

  /** Whether every bound of the objective holds with the required probability. */
  public boolean feasible() {
    return standing().holds();
  }

  /** The steps of all of its parts that have another implementation than the pins, by operator. */
  public List<PlanStep> breaking(Map<String, PhysicalOperator> pins) {
    return choice.allSteps().stream()
        .filter(step -> {
          PhysicalOperator pinned = pins.get(step.logical().id());
          return pinned != null && !pinned.matches(step.physical());
        })
        .toList();
  }
}

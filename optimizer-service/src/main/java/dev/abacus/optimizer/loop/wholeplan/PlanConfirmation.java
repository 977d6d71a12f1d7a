package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PlanChoice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs validation examples through the best plans of the frontier end to end, measures by how much
 * whole plans differ from the product of their operators, and chooses the plan by the corrected
 * estimates. The paper assumes independent operators; this class tests the assumption where
 * operators may depend on each other ({@link OperatorDependence}).
 *
 * <p>First the {@link #INITIAL_PLANS} best plans are run, then the best plan by the corrected
 * estimates, until that plan was run itself or {@link #MAX_PLANS} were. A step whose input its
 * implementation was sampled on before costs nothing.
 */
public final class PlanConfirmation {

  private static final int INITIAL_PLANS = 3;
  private static final int MAX_PLANS = 6;
  private static final int EXAMPLES = 8;

  private final OperatorDependence dependence;
  private final PlanReplay replay;
  private final Objective objective;
  private final SearchResult found;
  private final List<ValidationExample> examples;
  private final Map<String, PlanChoice> run = new LinkedHashMap<>();

  /** A sample of a step that a run needs. */
  public record MissingSample(PlanReplay.Missing step, String exampleId) {}

  /**
   * The outcome of the runs so far.
   *
   * @param missing samples that are needed next; empty if enough plans were run
   * @param result the frontier with corrected estimates, and the plan chosen from it
   */
  public record Outcome(List<MissingSample> missing, SearchResult result) {}

  /**
   * Creates a confirmation.
   *
   * @param beliefs estimates of all implementations, by operator id
   * @param found the result of the search by the product of operators
   * @param order ids of the examples in the order in which to use them
   */
  public PlanConfirmation(
      ProgramSnapshot view,
      OperatorDependence dependence,
      Map<String, Map<Arm, Belief>> beliefs,
      SearchResult found,
      List<String> order) {
    this.dependence = dependence;
    this.replay = new PlanReplay(view, dependence.walkable(), beliefs);
    this.objective = view.program().objective();
    this.found = found;
    this.examples =
        order.stream()
            .map(view::example)
            .filter(Objects::nonNull)
            .filter(example -> example.source().equals(dependence.source()))
            .limit(EXAMPLES)
            .toList();
  }

  /** Evaluates the runs so far. */
  public Outcome run() {
    if (examples.isEmpty()) {
      return new Outcome(List.of(), found);
    }
    List<PlanChoice> plans = found.frontier();
    plans.stream()
        .sorted(order(PlanChoice::estimate))
        .limit(INITIAL_PLANS)
        .forEach(plan -> run.put(plan.signature(), plan));
    while (true) {
      List<MissingSample> missing = missing();
      Map<Dimension, EstimateCorrection> corrections = corrections();
      Map<PlanChoice, Estimate> corrected =
          plans.stream()
              .collect(
                  Collectors.toMap(
                      plan -> plan, plan -> corrected(plan, corrections), (a, _) -> a));
      PlanChoice best =
          plans.stream()
              .min(order(plan -> Objects.requireNonNull(corrected.get(plan))))
              .orElse(found.chosen());
      boolean enough = !missing.isEmpty() || run.size() >= MAX_PLANS;
      if (enough || run.putIfAbsent(best.signature(), best) != null) {
        return new Outcome(missing, result(best, corrected));
      }
    }
  }

  private List<MissingSample> missing() {
    Set<MissingSample> missing = new LinkedHashSet<>();
    for (PlanChoice plan : run.values()) {
      for (ValidationExample example : examples) {
        PlanReplay.Missing step = replay.actual(plan, example).missing();
        if (step != null) {
          missing.add(new MissingSample(step, example.id()));
        }
      }
    }
    return List.copyOf(missing);
  }

  private Map<Dimension, EstimateCorrection> corrections() {
    Map<Dimension, EstimateCorrection> corrections = new EnumMap<>(Dimension.class);
    corrections.put(Dimension.QUALITY, correction(PlanReplay.Result::quality));
    corrections.put(Dimension.COST, correction(PlanReplay.Result::cost));
    corrections.put(Dimension.LATENCY, correction(PlanReplay.Result::latency));
    return corrections;
  }

  private EstimateCorrection correction(ToDoubleFunction<PlanReplay.Result> metric) {
    Map<String, Map<String, List<Double>>> differences = new HashMap<>();
    for (PlanChoice plan : run.values()) {
      List<Double> actual = new ArrayList<>();
      List<Double> expected = new ArrayList<>();
      for (ValidationExample example : examples) {
        PlanReplay.Result went = replay.actual(plan, example);
        if (went.complete()) {
          actual.add(metric.applyAsDouble(went));
          expected.add(metric.applyAsDouble(replay.expected(plan, example)));
        }
      }
      double mean = expected.stream().mapToDouble(Double::doubleValue).average().orElse(0);
      if (mean > 0) {
        List<Double> relative = new ArrayList<>();
        for (int i = 0; i < actual.size(); i++) {
          relative.add((actual.get(i) - expected.get(i)) / mean);
        }
        differences
            .computeIfAbsent(writers(plan), _ -> new HashMap<>())
            .put(plan.signature(), relative);
      }
    }
    return EstimateCorrection.of(differences);
  }

  /** The implementations of the operators that others read from. */
  private String writers(PlanChoice plan) {
    return plan.steps().stream()
        .filter(step -> dependence.writers().contains(step.logical().id()))
        .map(step -> step.logical().id() + "=" + step.physical().id())
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private Estimate corrected(PlanChoice plan, Map<Dimension, EstimateCorrection> corrections) {
    Estimate estimate = plan.estimate();
    return new Estimate(
        Math.clamp(estimate.quality() * factor(plan, corrections.get(Dimension.QUALITY)), 0, 1),
        estimate.cost() * factor(plan, corrections.get(Dimension.COST)),
        estimate.latency() * factor(plan, corrections.get(Dimension.LATENCY)));
  }

  private double factor(PlanChoice plan, @Nullable EstimateCorrection correction) {
    return correction == null ? 1 : correction.factor(writers(plan), plan.signature());
  }

  private Comparator<PlanChoice> order(
      java.util.function.Function<PlanChoice, Estimate> estimates) {
    return PlanOrder.of(objective, estimates);
  }

  private SearchResult result(PlanChoice best, Map<PlanChoice, Estimate> corrected) {
    List<PlanChoice> frontier =
        found.frontier().stream()
            .map(plan -> new PlanChoice(plan.steps(), Objects.requireNonNull(corrected.get(plan))))
            .sorted(order(PlanChoice::estimate))
            .toList();
    PlanChoice chosen = new PlanChoice(best.steps(), Objects.requireNonNull(corrected.get(best)));
    Map<Dimension, Double> violations = new EnumMap<>(Dimension.class);
    for (Bound bound : objective.bounds()) {
      double by = bound.violation(chosen.estimate().get(bound.dimension()));
      if (by > 0) {
        violations.put(bound.dimension(), by);
      }
    }
    return new SearchResult(chosen, violations.isEmpty(), frontier, found.statistics(), violations);
  }
}

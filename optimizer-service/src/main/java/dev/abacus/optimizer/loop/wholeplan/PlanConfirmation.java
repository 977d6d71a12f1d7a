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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The last part of a search: carries validation examples through the best few plans of the frontier
 * end to end, learns by how much whole plans differ from the product of their parts, and decides
 * with that. The paper takes operators to be independent; here this is put to the test where they
 * may not be ({@link OperatorDependence}).
 *
 * <p>First the {@link #AT_ONCE} best by the product are run; then whatever plan is best by what was
 * learnt, until that one has been run itself, or {@link #AT_MOST} have been. A step whose input is
 * one that its implementation was sampled on before costs nothing.
 */
public final class PlanConfirmation {

  private static final int AT_ONCE = 3;
  private static final int AT_MOST = 6;
  private static final int EXAMPLES = 8;

  private final OperatorDependence dependence;
  private final PlanReplay walk;
  private final Objective objective;
  private final List<ValidationExample> examples;
  private final Map<String, PlanChoice> run = new LinkedHashMap<>();
  private final List<Wanted> wanted = new ArrayList<>();
  private SearchResult result;

  /** A sample that a run needs. */
  public record Wanted(PlanReplay.Missing missing, String exampleId) {}

  /**
   * Looks at what was run so far.
   *
   * @param beliefs of all implementations, by operator
   * @param found by the product of parts
   * @param order ids of examples, those to be used first in front
   */
  public PlanConfirmation(
      ProgramSnapshot view,
      OperatorDependence dependence,
      Map<String, Map<Arm, Belief>> beliefs,
      SearchResult found,
      List<String> order) {
    this.dependence = dependence;
    this.walk = new PlanReplay(view, dependence.walkable(), beliefs);
    this.objective = view.program().objective();
    this.result = found;
    this.examples =
        order.stream()
            .map(view::example)
            .filter(Objects::nonNull)
            .filter(example -> example.source().equals(dependence.source()))
            .limit(EXAMPLES)
            .toList();
    if (!examples.isEmpty()) {
      decide(found);
    }
  }

  /** Samples that are wanted next; empty if enough was run. */
  public List<Wanted> wanted() {
    return wanted;
  }

  /** The frontier with what was learnt, and the plan chosen from it. */
  public SearchResult result() {
    return result;
  }

  private void decide(SearchResult found) {
    List<PlanChoice> plans = found.frontier();
    plans.stream()
        .sorted(order(PlanChoice::estimate))
        .limit(AT_ONCE)
        .forEach(plan -> run.put(plan.signature(), plan));
    while (true) {
      run.values().forEach(this::want);
      Map<Dimension, EstimateCorrection> departures = departures();
      Map<PlanChoice, Estimate> corrected =
          plans.stream()
              .collect(
                  Collectors.toMap(plan -> plan, plan -> corrected(plan, departures), (a, _) -> a));
      PlanChoice best =
          plans.stream()
              .min(order(plan -> Objects.requireNonNull(corrected.get(plan))))
              .orElse(found.chosen());
      boolean enough = !wanted.isEmpty() || run.size() >= AT_MOST;
      if (enough || run.putIfAbsent(best.signature(), best) != null) {
        result = result(found, best, corrected);
        return;
      }
    }
  }

  private void want(PlanChoice plan) {
    for (ValidationExample example : examples) {
      PlanReplay.Missing missing = walk.actual(plan, example).missing();
      Wanted sample = missing == null ? null : new Wanted(missing, example.id());
      if (sample != null && !wanted.contains(sample)) {
        wanted.add(sample);
      }
    }
  }

  private Map<Dimension, EstimateCorrection> departures() {
    Map<Dimension, EstimateCorrection> departures = new EnumMap<>(Dimension.class);
    departures.put(Dimension.QUALITY, departure(PlanReplay.Result::quality));
    departures.put(Dimension.COST, departure(PlanReplay.Result::cost));
    departures.put(Dimension.LATENCY, departure(PlanReplay.Result::latency));
    return departures;
  }

  private EstimateCorrection departure(ToDoubleFunction<PlanReplay.Result> metric) {
    Map<String, Map<String, List<Double>>> differences = new HashMap<>();
    for (PlanChoice plan : run.values()) {
      List<Double> actual = new ArrayList<>();
      List<Double> expected = new ArrayList<>();
      for (ValidationExample example : examples) {
        PlanReplay.Result went = walk.actual(plan, example);
        if (went.complete()) {
          actual.add(metric.applyAsDouble(went));
          expected.add(metric.applyAsDouble(walk.expected(plan, example)));
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
    return new EstimateCorrection(differences);
  }

  /** The implementations of those operators that others read from. */
  private String writers(PlanChoice plan) {
    return plan.steps().stream()
        .filter(step -> dependence.writers().contains(step.logical().id()))
        .map(step -> step.logical().id() + "=" + step.physical().id())
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private Estimate corrected(PlanChoice plan, Map<Dimension, EstimateCorrection> departures) {
    Estimate estimate = plan.estimate();
    return new Estimate(
        Math.clamp(estimate.quality() * factor(plan, departures.get(Dimension.QUALITY)), 0, 1),
        estimate.cost() * factor(plan, departures.get(Dimension.COST)),
        estimate.latency() * factor(plan, departures.get(Dimension.LATENCY)));
  }

  private double factor(PlanChoice plan, @Nullable EstimateCorrection departure) {
    return departure == null ? 1 : departure.factor(writers(plan), plan.signature());
  }

  private Comparator<PlanChoice> order(
      java.util.function.Function<PlanChoice, Estimate> estimates) {
    return PlanOrder.of(objective, estimates);
  }

  private SearchResult result(
      SearchResult found, PlanChoice best, Map<PlanChoice, Estimate> corrected) {
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

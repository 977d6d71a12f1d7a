package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.optimizer.search.cascades.NamedPlan;
import dev.abacus.optimizer.search.cascades.NamedPlanSearch;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The true values of plans, by the landscapes of their operators. */
final class PlanValue {

  private PlanValue() {}

  /** Of a plan given by its implementations. */
  static Estimate of(ExperimentSettings settings, Map<String, String> chosen) {
    List<Double> qualities = new ArrayList<>();
    double cost = 0;
    double latency = 0;
    for (Landscape landscape : settings.landscapes()) {
      OperatorEstimate truth =
          landscape.arm(Objects.requireNonNull(chosen.get(landscape.operator()))).truth();
      qualities.add(truth.quality());
      cost += truth.cost();
      latency += truth.latency();
    }
    return new Estimate(settings.noise().meanOfProduct(qualities), cost, latency);
  }

  /** Of the best plan, to who knows the truth. */
  static Estimate oracle(ExperimentSettings settings) {
    Map<String, List<Candidate>> candidates = new HashMap<>();
    settings
        .landscapes()
        .forEach(landscape ->
            candidates.put(
                landscape.operator(),
                landscape.arms().stream()
                    .map(arm -> new Candidate(arm.arm().id(), arm.truth()))
                    .toList()));
    NamedPlan best =
        NamedPlanSearch.search(
                settings.program(), candidates, settings.objective(), SearchOptions.DEFAULT)
            .chosen();
    Map<String, String> chosen = new HashMap<>();
    best.steps().forEach(step -> chosen.put(step.logical().id(), step.physical()));
    return of(settings, chosen);
  }

  /** Whether it meets every bound; sums of doubles may miss an inclusive bound in the last bits. */
  static boolean meets(Estimate value, Objective objective) {
    return objective.bounds().stream()
        .allMatch(bound ->
            bound.violation(value.get(bound.dimension())) <= 1e-9 * Math.max(1e-9, bound.limit()));
  }
}

package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.optimizer.search.cascades.NamedPlan;
import dev.abacus.optimizer.search.cascades.NamedPlanSearch;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a plan does in truth: quality is the mean over examples of the product, cost and latency are
 * sums.
 */
record PlanValue(double quality, double cost, double latency) {

  /** Of a plan given by its implementations. */
  static PlanValue of(ExperimentSettings settings, Map<String, String> chosen) {
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
    return new PlanValue(settings.noise().meanOfProduct(qualities), cost, latency);
  }

  /** Of the best plan, to who knows the truth. */
  static PlanValue oracle(ExperimentSettings settings) {
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

  double get(Dimension dimension) {
    return switch (dimension) {
      case QUALITY -> quality;
      case COST -> cost;
      case LATENCY -> latency;
    };
  }

  /** Whether it meets every bound; sums of doubles may miss an inclusive bound in the last bits. */
  boolean meets(Objective objective) {
    return objective.bounds().stream()
        .allMatch(bound ->
            bound.violation(get(bound.dimension())) <= 1e-9 * Math.max(1e-9, bound.limit()));
  }
}

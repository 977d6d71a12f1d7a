package dev.abacus.optimizer.cascades;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.cost.Candidate;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;

/** The answer of the {@code search} command as JSON. */
public final class SearchReport {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private SearchReport() {}

  /**
   * Searches and reports, from JSON to JSON.
   *
   * @param estimates what {@link EstimatesReader} reads
   * @throws IllegalArgumentException if the estimates are wrong; the message names key and reason
   */
  public static ObjectNode search(
      Program program, String estimates, Objective objective, SearchOptions options) {
    Map<String, List<Candidate>> candidates = EstimatesReader.read(estimates, program);
    return of(NamedPlanSearch.search(program, candidates, objective, options));
  }

  /**
   * {@link #search}, and under {@code bounds} what each bound costs: the best plan that there would
   * be without it, the others kept.
   *
   * @throws IllegalArgumentException if the estimates are wrong; the message names key and reason
   */
  public static ObjectNode explain(
      Program program, String estimates, Objective objective, SearchOptions options) {
    Map<String, List<Candidate>> candidates = EstimatesReader.read(estimates, program);
    ObjectNode report = of(NamedPlanSearch.search(program, candidates, objective, options));
    ArrayNode bounds = report.putArray("bounds");
    for (Bound bound : objective.bounds()) {
      List<Bound> others = objective.bounds().stream().filter(one -> !one.equals(bound)).toList();
      NamedSearchResult without =
          NamedPlanSearch.search(
              program, candidates, new Objective(objective.target(), others), options);
      bounds
          .addObject()
          .put("without", bound.toString())
          .put("feasible", without.feasible())
          .set("best", plan(without.chosen()));
    }
    return report;
  }

  /** The JSON of a result; violations appear where no plan is feasible. */
  public static ObjectNode of(NamedSearchResult result) {
    ObjectNode report = JSON.objectNode();
    report.put("feasible", result.feasible());
    report.set("chosen", plan(result.chosen()));
    ArrayNode frontier = report.putArray("frontier");
    result.frontier().forEach(plan -> frontier.add(plan(plan)));
    if (!result.feasible()) {
      ObjectNode violations = report.putObject("violations");
      result.violations().forEach((dimension, by) -> violations.put(dimension.label(), by));
    }
    SearchStatistics statistics = result.statistics();
    report
        .putObject("statistics")
        .put("groups", statistics.groups())
        .put("expressions", statistics.expressions())
        .put("rules", statistics.rules())
        .put("largestGroup", statistics.subplans())
        .put("epsilon", statistics.epsilon())
        .put("frontierEpsilon", statistics.frontierEpsilon())
        .put("allOrders", statistics.allOrders())
        .put("millis", statistics.millis());
    return report;
  }

  private static ObjectNode plan(NamedPlan plan) {
    ObjectNode node = JSON.objectNode();
    ArrayNode operators = node.putArray("operators");
    plan.steps()
        .forEach(step ->
            operators
                .addObject()
                .put("logical", step.logical().id())
                .put("physical", step.physical()));
    return node.put("quality", plan.estimate().quality())
        .put("cost", plan.estimate().cost())
        .put("latency", plan.estimate().latency());
  }
}

package dev.abacus.optimizer.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.search.cascades.NamedPlan;
import dev.abacus.optimizer.search.cascades.NamedPlanSearch;
import dev.abacus.optimizer.search.cascades.NamedSearchResult;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cascades.SearchStatistics;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;

/** The answer of the {@code search} command as JSON. */
public final class SearchJson {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /**
   * The bound on what a thinned frontier lacks adds up over operators and is loose where there are
   * many; beyond this it tells nothing and is left out. How far the chosen plan may be from the
   * best is known in any case.
   */
  private static final double MOST_TELLING = 0.05;

  private SearchJson() {}

  /**
   * Searches and reports, from JSON to JSON.
   *
   * @param estimates what {@link EstimatesJson} reads
   * @throws IllegalArgumentException if the estimates are wrong; the message names key and reason
   */
  public static ObjectNode search(
      Program program, String estimates, Objective objective, SearchOptions options) {
    Map<String, List<Candidate>> candidates = EstimatesJson.read(estimates, program);
    return of(NamedPlanSearch.search(program, candidates, objective, options));
  }

  /**
   * {@link #search}, and under {@code bounds} what each bound costs: the best plan that there would
   * be without it, the others kept; and under {@code sureness} on how many samples the estimates of
   * the chosen plan rest, with their intervals, as far as the estimates say so.
   *
   * @throws IllegalArgumentException if the estimates are wrong; the message names key and reason
   */
  public static ObjectNode explain(
      Program program, String estimates, Objective objective, SearchOptions options) {
    Map<String, List<Candidate>> candidates = EstimatesJson.read(estimates, program);
    NamedSearchResult found = NamedPlanSearch.search(program, candidates, objective, options);
    ObjectNode report = of(found);
    report.set("sureness", EstimatesJson.sureness(estimates, found.chosen()));
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
    report.set("statistics", statistics(result.statistics()));
    return report;
  }

  private static ObjectNode statistics(SearchStatistics statistics) {
    ObjectNode node =
        JSON.objectNode()
            .put("groups", statistics.groups())
            .put("expressions", statistics.expressions())
            .put("rules", statistics.rules())
            .put("largestGroup", statistics.subplans())
            .put("epsilon", statistics.epsilon())
            .put("frontierExact", statistics.frontierEpsilon() == 0);
    if (statistics.frontierEpsilon() <= MOST_TELLING) {
      node.put("frontierEpsilon", statistics.frontierEpsilon());
    }
    return node.put("allOrders", statistics.allOrders()).put("millis", statistics.millis());
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

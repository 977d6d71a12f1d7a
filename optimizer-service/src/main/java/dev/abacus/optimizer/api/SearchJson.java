package dev.abacus.optimizer.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.search.cascades.NamedPlan;
import dev.abacus.optimizer.search.cascades.NamedPlanSearch;
import dev.abacus.optimizer.search.cascades.NamedSearchResult;
import dev.abacus.optimizer.search.cascades.SearchStatistics;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;

/** Searches plans over estimates, from JSON to JSON: the {@code search} command. */
public final class SearchJson {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /**
   * The error bound of a thinned frontier adds up over operators and becomes loose. Above this
   * value the report omits it. The error bound of the chosen plan is always reported.
   */
  private static final double MAX_REPORTED_EPSILON = 0.05;

  private SearchJson() {}

  /**
   * Searches the best plan.
   *
   * @param estimates JSON text, as {@link ProgramEstimates#read} takes it
   * @throws IllegalArgumentException if the estimates are invalid; the message names key and reason
   */
  public static ObjectNode search(
      Program program, String estimates, Objective objective, SearchSettings settings) {
    Map<String, List<Candidate>> candidates = EstimatesJson.read(estimates, program);
    return of(NamedPlanSearch.search(program, candidates, objective, settings.options()));
  }

  /**
   * {@link #search} with two more keys. {@code bounds} has, for each bound, the best plan without
   * that bound. {@code sureness} has the number of samples and the intervals behind the estimates
   * of the chosen plan, where the estimates state them.
   *
   * @throws IllegalArgumentException if the estimates are invalid; the message names key and reason
   */
  public static ObjectNode explain(
      Program program, String estimates, Objective objective, SearchSettings settings) {
    Map<String, List<Candidate>> candidates = EstimatesJson.read(estimates, program);
    NamedSearchResult found =
        NamedPlanSearch.search(program, candidates, objective, settings.options());
    ObjectNode report = of(found);
    report.set("sureness", EstimatesJson.confidence(estimates, found.chosen()));
    ArrayNode bounds = report.putArray("bounds");
    for (Bound bound : objective.bounds()) {
      List<Bound> others = objective.bounds().stream().filter(one -> !one.equals(bound)).toList();
      NamedSearchResult without =
          NamedPlanSearch.search(
              program, candidates, new Objective(objective.target(), others), settings.options());
      bounds
          .addObject()
          .put("without", bound.toString())
          .put("feasible", without.feasible())
          .set("best", plan(without.chosen()));
    }
    return report;
  }

  /** The JSON of a result, with violations if no plan is feasible. */
  private static ObjectNode of(NamedSearchResult result) {
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
    if (statistics.frontierEpsilon() <= MAX_REPORTED_EPSILON) {
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

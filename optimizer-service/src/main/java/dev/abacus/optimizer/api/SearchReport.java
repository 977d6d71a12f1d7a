package dev.abacus.optimizer.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.search.cascades.NamedPlan;
import dev.abacus.optimizer.search.cascades.NamedSearchResult;
import dev.abacus.optimizer.search.cascades.SearchStatistics;
import dev.abacus.schemas.plan.Estimate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a search over estimates found. As JSON it is the answer of the {@code search} command.
 *
 * @param feasible whether the chosen plan meets every bound
 * @param frontier the plans that no other one dominates, the best by the target first
 * @param violations by how much the chosen plan misses bounds, by dimension; empty if it meets all
 * @param sureness the number of samples and the intervals behind the estimates of the chosen plan,
 *     by operator, where the estimates state them; null if nobody asked for them
 * @param bounds what each bound costs; null if nobody asked for it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SearchReport(
    boolean feasible,
    Plan chosen,
    List<Plan> frontier,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> violations,
    Statistics statistics,
    @Nullable JsonNode sureness,
    @Nullable List<WithoutBound> bounds) {

  /**
   * A plan.
   *
   * @param operators in execution order
   * @param estimate of the whole plan; cost in USD and latency in seconds per source document
   */
  public record Plan(List<Step> operators, @JsonUnwrapped Estimate estimate) {
    public Plan {
      operators = List.copyOf(operators);
    }

    private static Plan of(NamedPlan plan) {
      return new Plan(
          plan.steps().stream()
              .map(step -> new Step(step.logical().id(), step.physical()))
              .toList(),
          plan.estimate());
    }
  }

  /** An operator with the id of its implementation. */
  public record Step(String logical, String physical) {}

  /** The best plan without one of the bounds, and whether it meets the others. */
  public record WithoutBound(String without, boolean feasible, Plan best) {}

  /**
   * The work of the search and the precision of its answer.
   *
   * @param rules number of applications of rules
   * @param largestGroup number of plans that were kept in the largest group
   * @param epsilon the largest possible relative error of the chosen plan's value in the target
   * @param frontierExact whether no plan is missing on the frontier
   * @param frontierEpsilon the largest relative distance from a missing plan to one on the
   *     frontier; null if that bound is loose
   * @param allOrders whether every order of operators that may be better was considered
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Statistics(
      int groups,
      int expressions,
      int rules,
      int largestGroup,
      double epsilon,
      boolean frontierExact,
      @Nullable Double frontierEpsilon,
      boolean allOrders,
      double millis) {

    /** The error bound of a thinned frontier adds up over operators. Above this, it is loose. */
    private static final double MAX_REPORTED_EPSILON = 0.05;

    private static Statistics of(SearchStatistics search) {
      double epsilon = search.frontierEpsilon();
      return new Statistics(
          search.groups(),
          search.expressions(),
          search.rules(),
          search.subplans(),
          search.epsilon(),
          epsilon == 0,
          epsilon <= MAX_REPORTED_EPSILON ? epsilon : null,
          search.allOrders(),
          search.millis());
    }
  }

  static SearchReport of(NamedSearchResult found) {
    Map<String, Double> violations = new LinkedHashMap<>();
    found.violations().forEach((dimension, by) -> violations.put(dimension.label(), by));
    return new SearchReport(
        found.feasible(),
        Plan.of(found.chosen()),
        found.frontier().stream().map(Plan::of).toList(),
        violations,
        Statistics.of(found.statistics()),
        null,
        null);
  }

  SearchReport explained(JsonNode sureness, List<WithoutBound> bounds) {
    return new SearchReport(feasible, chosen, frontier, violations, statistics, sureness, bounds);
  }
}

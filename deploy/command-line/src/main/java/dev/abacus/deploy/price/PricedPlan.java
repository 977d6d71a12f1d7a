package dev.abacus.deploy.price;

import dev.abacus.optimizer.api.ProgramEstimates;
import dev.abacus.optimizer.api.SearchReport;
import dev.abacus.optimizer.api.SearchSettings;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The price of documents under a plan.
 *
 * @param name reason for listing this plan, such as the objective that it is best for
 * @param standing of the plan towards that objective
 * @param operators operators with their implementations, in execution order
 * @param perDocument the plan's estimate per source document
 * @param usd price of all documents, in USD
 * @param low lower end of the 95 % interval of {@code usd}; null if unknown
 * @param high upper end; null if unknown
 */
public record PricedPlan(
    String name,
    Standing standing,
    List<SearchReport.Step> operators,
    Estimate perDocument,
    double usd,
    @Nullable Double low,
    @Nullable Double high) {

  private static final Objective CHEAPEST = new Objective(Dimension.COST, List.of());

  public PricedPlan {
    operators = List.copyOf(operators);
  }

  /**
   * Prices a known plan, and the cheapest and the best plan of its frontier.
   *
   * @param cost cost per document with its interval; null if the plan has none
   */
  public static List<PricedPlan> known(PhysicalPlan plan, @Nullable Range cost, long documents) {
    List<PricedPlan> priced = new ArrayList<>();
    priced.add(
        of("plan of epoch " + plan.epoch(), plan.standing(), plan.choice(), cost, documents));
    plan.frontier().stream()
        .min(Comparator.comparingDouble(choice -> choice.estimate().cost()))
        .ifPresent(choice ->
            priced.add(
                of("cheapest of its frontier", plan.standing(choice), choice, null, documents)));
    plan.frontier().stream()
        .max(Comparator.comparingDouble(choice -> choice.estimate().quality()))
        .ifPresent(choice ->
            priced.add(of("best of its frontier", plan.standing(choice), choice, null, documents)));
    return priced;
  }

  private static PricedPlan of(
      String name, Standing standing, PlanChoice choice, @Nullable Range cost, long documents) {
    return new PricedPlan(
        name,
        standing,
        choice.steps().stream()
            .map(step -> new SearchReport.Step(step.logical().id(), choice.implementation(step)))
            .toList(),
        choice.estimate(),
        choice.estimate().cost() * documents,
        cost == null ? null : times(cost.low(), documents),
        cost == null ? null : times(cost.high(), documents));
  }

  private static @Nullable Double times(@Nullable Double amount, long documents) {
    return amount == null ? null : Double.valueOf(amount * documents);
  }

  /**
   * Searches and prices the best plans for an objective, for minimal cost and for maximal quality.
   *
   * @throws IllegalArgumentException if an operator has no estimates
   */
  public static List<PricedPlan> searched(
      ProgramEstimates estimates, Objective objective, long documents) {
    List<Objective> wanted = new ArrayList<>(List.of(objective));
    for (Objective other : List.of(CHEAPEST, Objective.MAXIMIZE_QUALITY)) {
      if (!wanted.contains(other)) {
        wanted.add(other);
      }
    }
    return wanted.stream().map(one -> searchedFor(estimates, one, documents)).toList();
  }

  private static PricedPlan searchedFor(
      ProgramEstimates estimates, Objective objective, long documents) {
    SearchReport.Plan found = estimates.search(objective, SearchSettings.DEFAULT).chosen();
    return new PricedPlan(
        objective.toString(),
        Standing.of(objective, found.estimate(), null, Standing.REQUIRED),
        found.operators(),
        found.estimate(),
        found.estimate().cost() * documents,
        null,
        null);
  }
}

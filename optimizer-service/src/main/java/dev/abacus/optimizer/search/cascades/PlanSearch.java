package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Final plan selection (paper, section 2.2 and algorithm 1, line 10). */
public final class PlanSearch {

  private PlanSearch() {}

  /**
   * Searches all legal orders of the program's operators and all implementations with estimates.
   *
   * @param estimates of the samples of semantic operators, by their ids
   * @param fanouts numbers of groups, passed documents and pairs per document: samples of an
   *     aggregate are groups and those of a join of streams are pairs
   * @throws IllegalArgumentException if no implementation of an operator has an estimate
   */
  public static SearchResult search(
      Program program,
      Map<String, ? extends Map<PhysicalOperator, OperatorEstimate>> estimates,
      Fanouts fanouts,
      Objective objective,
      SearchOptions options) {
    Map<String, List<Candidate>> candidates = new HashMap<>();
    Map<String, Map<String, PhysicalOperator>> byId = new HashMap<>();
    for (LogicalOperator operator : program.operators()) {
      List<Candidate> own = new ArrayList<>();
      Map<String, PhysicalOperator> ids = new HashMap<>();
      samples(operator, estimates.get(operator.id()))
          .forEach((physical, estimate) -> {
            own.add(new Candidate(physical.id(), fanouts.perDocument(operator, estimate)));
            ids.put(physical.id(), physical);
          });
      candidates.put(operator.id(), own);
      byId.put(operator.id(), ids);
    }
    NamedSearchResult found = NamedPlanSearch.search(program, candidates, objective, options);
    return new SearchResult(
        choice(found.chosen(), byId),
        found.feasible(),
        found.frontier().stream().map(plan -> choice(plan, byId)).toList());
  }

  private static Map<PhysicalOperator, OperatorEstimate> samples(
      LogicalOperator operator, @Nullable Map<PhysicalOperator, OperatorEstimate> known) {
    if (!operator.isSemantic()) {
      return Map.of(new Relational(), OperatorEstimate.RELATIONAL);
    }
    return known == null ? Map.of() : known;
  }

  private static PlanChoice choice(
      NamedPlan plan, Map<String, Map<String, PhysicalOperator>> byId) {
    List<PlanStep> steps =
        plan.steps().stream()
            .map(step ->
                new PlanStep(
                    step.logical(),
                    Objects.requireNonNull(
                        Objects.requireNonNull(byId.get(step.logical().id()))
                            .get(step.physical()))))
            .toList();
    return new PlanChoice(steps, plan.estimate());
  }
}

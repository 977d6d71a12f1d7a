package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads final plans from the back-pointers of subplans and computes their exact estimates. */
final class PlanReader {

  static final String RELATIONAL = new Relational().id();

  private final ProgramGraph graph;
  private final CostModel costModel;
  private final Map<String, Map<String, OperatorEstimate>> estimates = new HashMap<>();
  private final BranchReduction branches;
  private final @Nullable PlanWiring wiring;

  /**
   * Reads the plans of a search.
   *
   * @param branches the reduction of the program that was searched
   * @param wiring gives the steps their inputs in the plan; null if their order is enough
   */
  PlanReader(
      ProgramGraph graph,
      BranchReduction branches,
      @Nullable PlanWiring wiring,
      CostModel costModel) {
    this.graph = graph;
    this.branches = branches;
    this.wiring = wiring;
    this.costModel = costModel;
    branches
        .candidates()
        .forEach((operator, all) -> {
          Map<String, OperatorEstimate> byId = new HashMap<>();
          all.forEach(candidate -> byId.put(candidate.id(), candidate.estimate()));
          estimates.put(operator, byId);
        });
  }

  /** A subplan of the final group and the plan read from it. */
  record FinalPlan(Subplan subplan, NamedPlan plan) {}

  List<FinalPlan> read(List<Subplan> subplans) {
    List<FinalPlan> plans = new ArrayList<>();
    for (Subplan subplan : subplans) {
      plans.add(read(subplan));
    }
    return plans;
  }

  private FinalPlan read(Subplan subplan) {
    List<NamedPlan.Step> steps = new ArrayList<>();
    List<OperatorEstimate> perStep = new ArrayList<>();
    BitSet done = new BitSet();
    for (PhysicalExpression expression : subplan.expressions()) {
      LogicalOperator operator = expression.logical().operator();
      steps.add(new NamedPlan.Step(operator, expression.physical()));
      perStep.add(estimates.getOrDefault(operator.id(), Map.of()).get(expression.physical()));
      done.set(expression.logical().position());
      addMerges(done, steps);
    }
    if (wiring != null && !graph.merges().isEmpty()) {
      return asWritten(subplan, steps);
    }
    return new FinalPlan(
        subplan,
        new NamedPlan(
            wiring == null ? steps : branches.expanded(wiring.wired(steps)),
            graph.isTree() ? CostModel.rounded(subplan.metrics()) : costModel.estimate(perStep)));
  }

  /**
   * A plan of a program whose branches are not nested. They run as written, whatever the order of
   * the search, and their estimate follows from the inputs of the operators.
   */
  private FinalPlan asWritten(Subplan subplan, List<NamedPlan.Step> steps) {
    Map<String, String> chosen = new HashMap<>();
    steps.forEach(step -> chosen.put(step.logical().id(), step.physical()));
    List<NamedPlan.Step> written = new ArrayList<>();
    for (LogicalOperator operator : branches.program().operators()) {
      written.add(new NamedPlan.Step(operator, chosen.getOrDefault(operator.id(), RELATIONAL)));
    }
    Map<String, OperatorEstimate> perStep = new HashMap<>();
    for (NamedPlan.Step step : written) {
      perStep.put(
          step.logical().id(),
          estimates
              .getOrDefault(step.logical().id(), Map.of())
              .getOrDefault(step.physical(), OperatorEstimate.RELATIONAL));
    }
    return new FinalPlan(
        subplan,
        new NamedPlan(
            branches.expanded(written),
            costModel.estimate(branches.program().operators(), perStep)));
  }

  /** Adds each merge directly after the last operator of its branches. */
  private void addMerges(BitSet done, List<NamedPlan.Step> steps) {
    for (ProgramGraph.Merged merged : graph.merges()) {
      BitSet missing = merged.branches().operators();
      missing.andNot(done);
      boolean added = steps.stream().anyMatch(step -> step.logical().equals(merged.operator()));
      if (missing.isEmpty() && !added) {
        steps.add(new NamedPlan.Step(merged.operator(), RELATIONAL));
      }
    }
  }
}

package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads final plans from the back-pointers of subplans and computes their exact estimates. */
final class PlanReader {

  private static final String RELATIONAL = new PhysicalOperator.Relational().id();

  private final ProgramGraph graph;
  private final CostModel costModel;
  private final Map<String, Map<String, OperatorEstimate>> estimates = new HashMap<>();

  PlanReader(ProgramGraph graph, Map<String, List<Candidate>> candidates, CostModel costModel) {
    this.graph = graph;
    this.costModel = costModel;
    candidates.forEach((operator, all) -> {
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
    return new FinalPlan(
        subplan,
        new NamedPlan(
            steps,
            graph.isTree() ? CostModel.rounded(subplan.metrics()) : costModel.estimate(perStep)));
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

package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads plans from the back-pointers of subplans. The steps of a program with branches or several
 * stages name their inputs in the plan; otherwise their order is enough.
 */
final class PlanReader {

  private static final String RELATIONAL = new Relational().id();

  private final ProgramGraph graph;
  private final boolean namesInputs;
  private final IdentityHashMap<Subplan, Program> written = new IdentityHashMap<>();

  PlanReader(ProgramGraph graph) {
    this.graph = graph;
    this.namesInputs =
        graph.written().stream()
            .anyMatch(operator -> !operator.isPerDocument() || operator.inputs().size() > 1);
  }

  /** Tells that a plan runs as an equivalent program says. */
  Subplan written(Subplan plan, Program program) {
    written.put(plan, program);
    return plan;
  }

  NamedPlan read(Group root, Subplan plan) {
    List<NamedPlan.Step> steps = new ArrayList<>();
    Program program = written.get(plan);
    if (program != null) {
      Map<String, String> chosen = chosen(plan);
      for (LogicalOperator operator : program.operators()) {
        steps.add(new NamedPlan.Step(operator, chosen.getOrDefault(operator.id(), RELATIONAL)));
      }
    } else if (namesInputs) {
      append(root, plan, "", steps);
    } else {
      for (PhysicalExpression step : plan.expressions()) {
        steps.add(new NamedPlan.Step(step.logical().operator(), step.physical()));
      }
    }
    return new NamedPlan(steps, CostModel.rounded(plan.metrics()));
  }

  /** The implementations of a plan by operator. */
  static Map<String, String> chosen(Subplan plan) {
    Map<String, String> chosen = new HashMap<>();
    for (PhysicalExpression step : plan.expressions()) {
      chosen.put(step.logical().operator().id(), step.physical());
    }
    return chosen;
  }

  /**
   * Appends the steps of a subplan and returns the id of the last one.
   *
   * @param split the step whose documents a branch starts with; empty if there is none
   */
  private String append(Group group, Subplan plan, String split, List<NamedPlan.Step> into) {
    PhysicalExpression root = plan.root();
    if (root == null || plan.input() == null) {
      return split.isEmpty() ? graph.source(group.key().chain()) : split;
    }
    LogicalExpression logical = root.logical();
    Subplan sides = root.branches();
    List<String> inputs;
    if (sides != null && logical.branches() != null) {
      String below = append(logical.input(), plan.input(), split, into);
      inputs = sides(logical.branches(), sides, below, into);
    } else if (logical.input().sides().isEmpty()) {
      inputs = List.of(append(logical.input(), plan.input(), split, into));
    } else {
      inputs = sides(logical.input(), plan.input(), "", into);
    }
    LogicalOperator operator = graph.written().get(logical.position()).withInputs(inputs);
    into.add(new NamedPlan.Step(operator, root.physical()));
    return operator.id();
  }

  private List<String> sides(Group group, Subplan both, String split, List<NamedPlan.Step> into) {
    Group.Sides sides = group.sides().getFirst();
    return List.of(
        append(sides.left(), Objects.requireNonNull(both.input()), split, into),
        append(sides.right(), Objects.requireNonNull(both.right()), split, into));
  }
}

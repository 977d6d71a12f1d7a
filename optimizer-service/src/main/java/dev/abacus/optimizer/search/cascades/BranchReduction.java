package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the branches of a program by single operators, so that the search sees chains. The
 * branches between a split and its merge are searched first; each plan on their Pareto frontier is
 * an implementation of the operator that replaces them.
 *
 * <pre>
 *        ┌─► map a ─┐
 *   docs ┤          ├─► merge ─► filter      ==>      docs ─► (a ∥ b) ─► filter
 *        └─► map b ─┘
 * </pre>
 *
 * <p>Optimality is kept, because the metrics of a plan are monotonic in those of its branches: a
 * frontier over all metrics, cardinality included, contains the branches of an optimal plan. Side
 * by side, qualities and cardinalities multiply, costs add up, and the longest latency counts
 * (paper, equation 1).
 *
 * <p>The replacement reads and writes what the operators of both branches read and write. So a
 * filter that is independent of both branches can be exchanged with them as a whole.
 *
 * <p>Branches that are not nested (an operator of one branch also feeds the other one) stay as they
 * are.
 */
final class BranchReduction {

  private static final int LARGEST_FRONTIER = 512;

  private final Map<String, List<Candidate>> candidates;
  private final CostModel costModel;
  private final Set<Metric> metrics;
  private final int maxSubplans;
  private final Map<String, Composite> composites = new HashMap<>();
  private Program program;
  private double error;

  /** What replaces two branches: their merge, and the plans of both by id. */
  private record Composite(Merge merge, Map<String, Subplan> plans) {}

  /**
   * Searches the branches of a program.
   *
   * @param metrics the metrics of the objective
   */
  BranchReduction(
      Program program,
      Map<String, List<Candidate>> candidates,
      CostModel costModel,
      Set<Metric> metrics,
      int maxSubplans) {
    this.program = program;
    this.candidates = new HashMap<>(candidates);
    this.costModel = costModel;
    this.metrics = EnumSet.copyOf(metrics);
    this.metrics.add(Metric.CARDINALITY);
    this.maxSubplans = Math.min(maxSubplans, LARGEST_FRONTIER);
  }

  /** Reduces all nested branches, the innermost first. */
  BranchReduction reduce() {
    for (LogicalOperator operator : program.operators()) {
      if (operator instanceof Merge merge) {
        Block block = block(merge);
        if (block != null) {
          replace(block);
        }
      }
    }
    return this;
  }

  /** The program without the reduced branches. */
  Program program() {
    return program;
  }

  /** The candidates of its operators. */
  Map<String, List<Candidate>> candidates() {
    return candidates;
  }

  /** The relative error of the frontiers of the branches; 0 if they are exact. */
  double error() {
    return error;
  }

  /** Two branches between a split and a merge. */
  private record Block(
      Merge merge, String split, List<LogicalOperator> left, List<LogicalOperator> right) {

    List<LogicalOperator> operators() {
      List<LogicalOperator> all = new ArrayList<>(left);
      all.addAll(right);
      return all;
    }
  }

  /** Null if the branches are not nested. */
  private @Nullable Block block(Merge merge) {
    List<LogicalOperator> all = program.operators();
    Set<String> left = BranchFields.upstream(merge.input(), all);
    Set<String> right = BranchFields.upstream(merge.with(), all);
    List<LogicalOperator> ownLeft =
        all.stream().filter(o -> left.contains(o.id()) && !right.contains(o.id())).toList();
    List<LogicalOperator> ownRight =
        all.stream().filter(o -> right.contains(o.id()) && !left.contains(o.id())).toList();
    Set<String> splits = new LinkedHashSet<>();
    splits(merge.input(), ownLeft, splits);
    splits(merge.with(), ownRight, splits);
    Block block = new Block(merge, splits.iterator().next(), ownLeft, ownRight);
    Set<String> inside = new TreeSet<>();
    block.operators().forEach(operator -> inside.add(operator.id()));
    boolean leaves =
        all.stream()
            .filter(operator -> !inside.contains(operator.id()) && !operator.equals(merge))
            .anyMatch(operator -> operator.inputs().stream().anyMatch(inside::contains));
    boolean chains =
        block.operators().stream()
            .noneMatch(operator -> operator instanceof Merge || !operator.isPerDocument());
    return splits.size() == 1 && chains && !leaves ? block : null;
  }

  /** Adds the nodes outside of a branch that the branch reads. */
  private static void splits(String end, List<LogicalOperator> branch, Set<String> into) {
    Set<String> own = new TreeSet<>();
    branch.forEach(operator -> own.add(operator.id()));
    if (branch.isEmpty()) {
      into.add(end);
    }
    for (LogicalOperator operator : branch) {
      for (String input : operator.inputs()) {
        if (!own.contains(input)) {
          into.add(input);
        }
      }
    }
  }

  private void replace(Block block) {
    ParetoGroupFrontier pairs =
        new ParetoGroupFrontier(metrics, Pruning.NONE, new FrontierLimit.Cells(maxSubplans));
    List<Subplan> right = frontier(block.right, block.split);
    for (Subplan one : frontier(block.left, block.split)) {
      for (Subplan other : right) {
        pairs.offer(Subplan.sides(one, other, CostModel.beside(one.metrics(), other.metrics())));
      }
    }
    Map<String, Subplan> plans = new HashMap<>();
    List<Candidate> own = new ArrayList<>();
    for (Subplan plan : pairs.subplans()) {
      String id = "branches-%05d".formatted(own.size());
      MetricVector of = plan.metrics();
      plans.put(id, plan);
      own.add(
          new Candidate(
              id,
              new OperatorEstimate(
                  Math.min(1, of.quality()), of.cost(), of.latency(), of.cardinality())));
    }
    add(pairs.error());
    composites.put(block.merge.id(), new Composite(block.merge, plans));
    candidates.put(block.merge.id(), own);
    List<LogicalOperator> operators = new ArrayList<>();
    for (LogicalOperator operator : program.operators()) {
      if (operator.equals(block.merge)) {
        operators.add(standIn(block));
      } else if (!block.operators().contains(operator)) {
        operators.add(operator);
      }
    }
    program = program.withOperators(operators);
  }

  /** The Pareto-optimal plans of one branch, per document of the split. */
  private List<Subplan> frontier(List<LogicalOperator> branch, String split) {
    if (branch.isEmpty()) {
      return List.of(Subplan.SOURCE);
    }
    Program alone =
        program
            .withOperators(branch)
            .withSources(List.of(new Program.Source(split, split, Program.Format.JSON, "id")));
    SearchProblem problem =
        SearchProblem.of(
            alone,
            candidates,
            new Objective(Dimension.QUALITY, List.of()),
            costModel,
            metrics,
            true);
    CascadesSearch search = new ParetoSearch(problem, maxSubplans).frontier(List.of());
    add(search.root().error());
    return search.root().subplans();
  }

  private void add(double more) {
    error = (1 + error) * (1 + more) - 1;
  }

  /** An operator that reads and writes what the operators of both branches do. */
  private static LogicalOperator standIn(Block block) {
    Set<String> reads = new TreeSet<>();
    Set<String> writes = new TreeSet<>();
    boolean readsAll = false;
    for (LogicalOperator operator : block.operators()) {
      readsAll |= operator.reads().isEmpty();
      reads.addAll(operator.reads());
      writes.addAll(operator.writtenFields());
    }
    List<String> read = readsAll ? List.of() : List.copyOf(reads);
    String id = block.merge.id();
    if (writes.isEmpty()) {
      return new SemanticFilter(id, block.split, "both branches", read);
    }
    List<Field> fields =
        writes.stream()
            .map(name -> new Field(name, new FieldType.StringType(List.of()), "", false))
            .toList();
    return new SemanticMap(id, block.split, "both branches", read, fields);
  }

  /**
   * The steps of a plan with those of the branches, each with its input in the plan.
   *
   * @param steps of {@link #program}, each with its input in the plan
   */
  List<NamedPlan.Step> expanded(List<NamedPlan.Step> steps) {
    List<NamedPlan.Step> expanded = new ArrayList<>();
    for (NamedPlan.Step step : steps) {
      Composite composite = composites.get(step.logical().id());
      if (composite == null) {
        expanded.add(step);
      } else {
        Subplan sides = composite.plans.getOrDefault(step.physical(), Subplan.SOURCE);
        String split = step.logical().input();
        String left = append(sides.input(), split, expanded);
        String right = append(sides.right(), split, expanded);
        expanded.add(
            new NamedPlan.Step(
                composite.merge.withInputs(List.of(left, right)), PlanReader.RELATIONAL));
      }
    }
    return expanded;
  }

  /** Appends one branch and returns the id of its last step. */
  private String append(@Nullable Subplan branch, String split, List<NamedPlan.Step> into) {
    List<NamedPlan.Step> chain = new ArrayList<>();
    String last = split;
    if (branch != null) {
      for (PhysicalExpression expression : branch.expressions()) {
        LogicalOperator operator = expression.logical().operator();
        chain.add(new NamedPlan.Step(operator.withInputs(List.of(last)), expression.physical()));
        last = operator.id();
      }
    }
    into.addAll(expanded(chain));
    return last;
  }
}

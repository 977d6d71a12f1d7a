package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.OrderSpace;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.objective.Bound;
import java.util.List;

/**
 * Pareto-Cascades over one problem (paper, section 3.2): every group keeps its Pareto frontier, up
 * to a limit.
 *
 * <p>The limit follows from the work: combining the frontiers of all groups with all
 * implementations above them takes about {@link #PAIRS} pairs. Ordinary programs stay far below,
 * and their frontiers are exact.
 *
 * @param search over the groups of the problem
 * @param most the largest number of subplans per group, if the limit by work is not smaller
 */
record ParetoSearch(CascadesSearch search, int most) {

  /** With more groups, the search uses one order of operators instead of all worthwhile orders. */
  private static final int MOST_GROUPS = 3000;

  private static final double PAIRS = 4e5;
  private static final int LEAST_LIMIT = 128;

  /** The limit of a group of one side, because each side is combined with the other. */
  private static final int LARGEST_SIDE = 512;

  /** By number of metrics: comparing rows takes longer with more metrics. */
  private static final int[] LARGEST_LIMIT = {0, 10_000, 10_000, 2_000, 600};

  static ParetoSearch of(SearchProblem problem, int most) {
    return new ParetoSearch(
        CascadesSearch.of(problem, OrderSpace.Extent.WORTHWHILE, MOST_GROUPS), most);
  }

  /** Whether the search covers every worthwhile order. */
  boolean allOrders() {
    return search.allOrders() || !search.problem().metrics().contains(Metric.COST);
  }

  /** The frontiers under some bounds, thinned evenly if they exceed the limit. */
  CascadesSearch.Frontiers frontiers(List<Bound> bounds) {
    SearchProblem problem = search.problem();
    FrontierLimit limit = new FrontierLimit.Cells(limit());
    FrontierLimit ofSide = new FrontierLimit.Cells(Math.min(limit(), LARGEST_SIDE));
    return search.implement(key ->
        new ParetoGroupFrontier(
            problem.metrics(key),
            problem.boundPruning(key, bounds),
            key.chain() == ProgramGraph.MAIN ? limit : ofSide));
  }

  private int limit() {
    double perSubplan = 1;
    for (Group group : search.memo().groups()) {
      for (LogicalExpression expression : group.expressions()) {
        perSubplan += search.problem().implementations().get(expression.position()).size();
      }
    }
    double byWork = Math.max(LEAST_LIMIT, PAIRS / perSubplan);
    return (int) Math.min(byWork, Math.min(most, LARGEST_LIMIT[search.problem().metrics().size()]));
  }
}

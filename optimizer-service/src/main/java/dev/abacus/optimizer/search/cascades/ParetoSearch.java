package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.objective.Bound;
import java.util.List;
import java.util.function.Function;

/**
 * Pareto-Cascades over one problem (paper, section 3.2): every group keeps its Pareto frontier, up
 * to a limit.
 *
 * <p>The limit follows from the work: combining the frontiers of all groups with all
 * implementations above them takes about {@link #PAIRS} pairs. Ordinary programs stay far below,
 * and their frontiers are exact.
 */
final class ParetoSearch {

  /** With more groups, the search uses one order of operators instead of all worthwhile orders. */
  private static final int MOST_GROUPS = 3000;

  private static final double PAIRS = 4e5;
  private static final int LEAST_LIMIT = 128;

  /** The limit of a group of one side, because each side is combined with the other. */
  private static final int LARGEST_SIDE = 512;

  /** By number of metrics: comparing rows takes longer with more metrics. */
  private static final int[] LARGEST_LIMIT = {0, 10_000, 10_000, 2_000, 600};

  private final SearchProblem problem;
  private final int most;
  private final OrderSpace orders;
  private final boolean allOrders;
  private final CascadesSearch explored;

  /**
   * Explores the groups of a problem.
   *
   * @param most the largest number of subplans per group, if the limit by work is not smaller
   */
  ParetoSearch(SearchProblem problem, int most) {
    this.problem = problem;
    this.most = most;
    OrderSpace worthwhile = problem.orders(OrderSpace.Extent.WORTHWHILE);
    CascadesSearch search = new CascadesSearch(problem, worthwhile, _ -> GroupFrontier.NONE);
    boolean all = search.explore(MOST_GROUPS);
    this.orders = all ? worthwhile : problem.orders(OrderSpace.Extent.SINGLE);
    this.allOrders = all || !problem.metrics().contains(Metric.COST);
    this.explored = all ? search : new CascadesSearch(problem, orders, _ -> GroupFrontier.NONE);
    explored.explore();
  }

  SearchProblem problem() {
    return problem;
  }

  /** A search that has explored all groups and implemented none. */
  CascadesSearch explored() {
    return explored;
  }

  /** Whether the search covers every worthwhile order. */
  boolean allOrders() {
    return allOrders;
  }

  /** The frontier under some bounds, thinned evenly if it exceeds the limit. */
  CascadesSearch frontier(List<Bound> bounds) {
    FrontierLimit limit = new FrontierLimit.Cells(limit());
    FrontierLimit ofSide = new FrontierLimit.Cells(Math.min(limit(), LARGEST_SIDE));
    return run(key ->
        new ParetoGroupFrontier(
            problem.metrics(key),
            problem.boundPruning(key, bounds),
            key.chain() == ProgramGraph.MAIN ? limit : ofSide));
  }

  /** One run with the given kind of frontier in each group. */
  CascadesSearch run(Function<GroupKey, GroupFrontier> frontiers) {
    CascadesSearch search = new CascadesSearch(problem, orders, frontiers);
    search.explore();
    search.implement();
    return search;
  }

  private int limit() {
    double perSubplan = 1;
    for (Group group : explored.groups()) {
      for (LogicalExpression expression : explored.worthImplementing(group)) {
        perSubplan += explored.implementations(expression.position()).size();
      }
    }
    double byWork = Math.max(LEAST_LIMIT, PAIRS / perSubplan);
    return (int) Math.min(byWork, Math.min(most, LARGEST_LIMIT[problem.metrics().size()]));
  }

  /** The largest number of subplans per group. */
  int most() {
    return most;
  }
}

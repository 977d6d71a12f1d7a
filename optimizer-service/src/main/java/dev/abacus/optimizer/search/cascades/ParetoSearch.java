package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.objective.Bound;
import java.util.List;
import java.util.function.Function;

/**
 * Runs of Pareto-Cascades over one problem (paper, section 3.2): every group keeps what nothing
 * dominates, as far as there is room.
 *
 * <p>Room is by work, not by a fixed number: what the groups may keep is what can be combined with
 * all implementations above them in about {@link #PAIRS} pairs. Ordinary programs never come near;
 * their frontiers are exact.
 */
final class ParetoSearch {

  /** Groups beyond which one order of operators is searched instead of all worthwhile ones. */
  private static final int MOST_GROUPS = 3000;

  private static final double PAIRS = 4e5;
  private static final int LEAST_ROOM = 128;

  /** By number of metrics: the more there are, the longer it takes to compare so many. */
  private static final int[] MOST_ROOM = {0, 10_000, 10_000, 2_000, 600};

  private final SearchProblem problem;
  private final int most;
  private final OrderSpace orders;
  private final boolean allOrders;
  private final CascadesSearch explored;

  /**
   * Prepares runs.
   *
   * @param most the most subplans that a group may keep, if room by work is not less
   */
  ParetoSearch(SearchProblem problem, int most) {
    this.problem = problem;
    this.most = most;
    OrderSpace worthwhile = problem.orders(OrderSpace.Extent.WORTHWHILE);
    boolean all = worthwhile.isWithin(MOST_GROUPS);
    this.orders = all ? worthwhile : problem.orders(OrderSpace.Extent.SINGLE);
    this.allOrders = all || !problem.metrics().contains(Metric.COST);
    this.explored =
        new CascadesSearch(
            problem,
            orders,
            key -> new ParetoGroupFrontier(problem.metrics(key), Pruning.ALL, new CellLimit(1)));
    explored.explore();
  }

  SearchProblem problem() {
    return problem;
  }

  /** A search that has explored all groups, and not implemented any. */
  CascadesSearch explored() {
    return explored;
  }

  /** Whether every order was searched that may be better than others. */
  boolean allOrders() {
    return allOrders;
  }

  /** The frontier under some bounds, evenly thinned where it is too large to be kept whole. */
  CascadesSearch frontier(List<Bound> bounds) {
    CellLimit room = new CellLimit(room());
    return run(
        key -> new ParetoGroupFrontier(problem.metrics(key), problem.allowance(key, bounds), room));
  }

  /** One run with some survivors in every group. */
  CascadesSearch run(Function<GroupKey, GroupFrontier> survivors) {
    CascadesSearch search = new CascadesSearch(problem, orders, survivors);
    search.explore();
    search.implement();
    return search;
  }

  private int room() {
    double perSubplan = 1;
    for (Group group : explored.groups()) {
      for (LogicalExpression expression : explored.worthImplementing(group)) {
        perSubplan += explored.implementations(expression.position()).size();
      }
    }
    double byWork = Math.max(LEAST_ROOM, PAIRS / perSubplan);
    return (int) Math.min(byWork, Math.min(most, MOST_ROOM[problem.metrics().size()]));
  }

  /** The most subplans that a group may keep. */
  int most() {
    return most;
  }
}

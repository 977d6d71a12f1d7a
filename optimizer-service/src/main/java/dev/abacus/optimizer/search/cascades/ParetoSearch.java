package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Survivors;
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

  private final Problem problem;
  private final int most;
  private final OrderSpace orders;
  private final boolean allOrders;
  private final Search explored;

  /**
   * Prepares runs.
   *
   * @param most the most subplans that a group may keep, if room by work is not less
   */
  ParetoSearch(Problem problem, int most) {
    this.problem = problem;
    this.most = most;
    OrderSpace worthwhile = problem.orders(OrderSpace.Extent.WORTHWHILE);
    boolean all = worthwhile.isWithin(MOST_GROUPS);
    this.orders = all ? worthwhile : problem.orders(OrderSpace.Extent.SINGLE);
    this.allOrders = all || !problem.metrics().contains(Metric.COST);
    this.explored =
        new Search(
            problem,
            orders,
            key -> new ParetoSurvivors(problem.metrics(key), Admission.ALL, new CellRoom(1)));
    explored.explore();
  }

  Problem problem() {
    return problem;
  }

  /** A search that has explored all groups, and not implemented any. */
  Search explored() {
    return explored;
  }

  /** Whether every order was searched that may be better than others. */
  boolean allOrders() {
    return allOrders;
  }

  /** The frontier under some bounds, evenly thinned where it is too large to be kept whole. */
  Search frontier(List<Bound> bounds) {
    CellRoom room = new CellRoom(room());
    return run(
        key -> new ParetoSurvivors(problem.metrics(key), problem.allowance(key, bounds), room));
  }

  /** One run with some survivors in every group. */
  Search run(Function<GroupKey, Survivors> survivors) {
    Search search = new Search(problem, orders, survivors);
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

package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.CrossProduct;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.optimizer.search.memo.OrderSpace;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The Cascades search (paper, section 3.1 and algorithm 4): explores the groups of a problem once,
 * and implements them as often as another kind of frontier is wanted.
 *
 * @param allOrders whether all orders are enumerated that were asked for
 */
record CascadesSearch(SearchProblem problem, Memo memo, boolean allOrders) {

  /**
   * Explores the groups of a problem.
   *
   * @param extent orders to enumerate if that makes at most {@code mostGroups} groups; else one is
   */
  static CascadesSearch of(SearchProblem problem, OrderSpace.Extent extent, int mostGroups) {
    Memo explored = Memo.explored(problem.graph(), problem.orders(extent), mostGroups);
    return explored != null
        ? new CascadesSearch(problem, explored, true)
        : new CascadesSearch(
            problem,
            Objects.requireNonNull(
                Memo.explored(
                    problem.graph(), problem.orders(OrderSpace.Extent.SINGLE), Integer.MAX_VALUE)),
            false);
  }

  /**
   * Finds the subplans of all groups.
   *
   * @param empty creates the empty frontier of a group
   */
  Frontiers implement(Function<GroupKey, GroupFrontier> empty) {
    return new Frontiers(empty);
  }

  /** The frontiers of all groups, those of its inputs before that of a group. */
  final class Frontiers {

    private final Function<GroupKey, GroupFrontier> empty;
    private final Map<Group, GroupFrontier> byGroup = new HashMap<>();
    private final GroupFrontier whole;

    private Frontiers(Function<GroupKey, GroupFrontier> empty) {
      this.empty = empty;
      this.whole = of(memo.root());
    }

    private GroupFrontier of(Group group) {
      GroupFrontier known = byGroup.get(group);
      if (known != null) {
        return known;
      }
      GroupFrontier frontier = empty.apply(group.key());
      if (group.isBase()) {
        frontier.offer(Subplan.SOURCE);
      }
      // The order decides which subplans stand for others where a frontier is thinned: the operator
      // that is written last comes last.
      group.expressions().reversed().forEach(expression -> frontier.offer(implemented(expression)));
      group.sides().reversed().forEach(pair -> frontier.offer(of(pair.left()), of(pair.right())));
      byGroup.put(group, frontier);
      return frontier;
    }

    /**
     * All implementations of an expression with the frontier of its input group (paper, section
     * 3.2): those that the rules made for sampling and for which estimates exist; for a merge, the
     * plans of its branches.
     */
    private CrossProduct implemented(LogicalExpression expression) {
      List<PhysicalExpression> implementations = new ArrayList<>();
      for (var one : problem.implementations().get(expression.position())) {
        implementations.add(new PhysicalExpression(expression, one.id(), one.estimate()));
      }
      GroupFrontier input = of(expression.input());
      double error = 1 + input.error();
      if (expression.branches() != null) {
        GroupFrontier branches = of(expression.branches());
        String physical = implementations.removeFirst().physical();
        for (Subplan plan : branches.subplans()) {
          implementations.add(new PhysicalExpression(expression, physical, plan.metrics(), plan));
        }
        error *= 1 + branches.error();
      }
      return new CrossProduct(input.subplans(), implementations, error - 1);
    }

    /** The subplans of the whole program. */
    GroupFrontier whole() {
      return whole;
    }

    Memo memo() {
      return memo;
    }

    /** The number of subplans in the largest group. */
    int largest() {
      return byGroup.values().stream()
          .mapToInt(frontier -> frontier.subplans().size())
          .max()
          .orElse(0);
    }
  }
}

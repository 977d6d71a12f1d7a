package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.CrossProduct;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.optimizer.search.rule.transformation.TransformationRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * One run of the Cascades search: a memo and a stack of tasks (paper, section 3.1 and algorithm 4).
 * It explores all groups before it implements the first. Each task runs once; it pushes the tasks
 * that follow it in reverse order.
 */
final class CascadesSearch {

  private final SearchProblem problem;
  private final OrderSpace orders;
  private final Memo memo;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Set<Group> explored = new HashSet<>();
  private final Set<Group> implemented = new HashSet<>();
  private final Map<Group, List<Integer>> roots = new HashMap<>();
  private int applications;

  CascadesSearch(
      SearchProblem problem, OrderSpace orders, Function<GroupKey, GroupFrontier> frontiers) {
    this.problem = problem;
    this.orders = orders;
    this.memo = new Memo(problem.graph(), frontiers);
  }

  /** Finds the logical expressions of all groups. */
  void explore() {
    explore(Integer.MAX_VALUE);
  }

  /**
   * Finds the logical expressions of all groups, or gives up if there are many.
   *
   * @return whether there are at most {@code most} groups
   */
  boolean explore(int most) {
    explore(memo.root());
    while (!tasks.isEmpty() && explored.size() <= most) {
      tasks.pop().run();
    }
    return explored.size() <= most;
  }

  /** Finds the subplans of all groups; call {@link #explore} first. */
  void implement() {
    implement(memo.root());
    while (!tasks.isEmpty()) {
      tasks.pop().run();
    }
  }

  /**
   * Finds the logical expressions of a group with a worthwhile operator on top, then explores the
   * groups below it.
   */
  private void explore(Group group) {
    if (explored.add(group)) {
      tasks.push(() -> exploreBelow(group));
      for (LogicalExpression expression : memo.asWritten(group)) {
        tasks.push(() -> transform(group, expression));
      }
    }
  }

  private void exploreBelow(Group group) {
    for (Group.Sides pair : group.sides()) {
      tasks.push(() -> explore(pair.left()));
      tasks.push(() -> explore(pair.right()));
    }
    for (LogicalExpression expression : worthImplementing(group)) {
      expression.inputs().forEach(input -> tasks.push(() -> explore(input)));
    }
  }

  /**
   * Applies every transformation rule to an expression over those expressions of its input group
   * whose operator is worthwhile on top of this group too, and adds the other ways to divide
   * operators into those of branches and those below.
   */
  private void transform(Group group, LogicalExpression expression) {
    for (int root : roots(group)) {
      if (!problem.graph().contents(root).isEmpty()) {
        memo.expressions(group, root);
      }
      if (root != expression.position() && isBelow(root, expression)) {
        for (LogicalExpression below : memo.expressions(expression.input(), root)) {
          for (TransformationRule rule : TransformationRules.ALL) {
            tasks.push(() -> apply(rule, expression, below));
          }
        }
      }
    }
  }

  private static boolean isBelow(int root, LogicalExpression expression) {
    GroupKey below = expression.input().key();
    return below.chain() == expression.key().chain() && below.contains(root);
  }

  private void apply(TransformationRule rule, LogicalExpression upper, LogicalExpression lower) {
    applications++;
    rule.apply(upper, lower, memo);
  }

  /** Finds the frontier of subplans of a group, after those of the groups below it. */
  private void implement(Group group) {
    if (implemented.add(group)) {
      group.sides().forEach(pair -> tasks.push(() -> group.frontier().offer(pair)));
      for (Group.Sides pair : group.sides()) {
        tasks.push(() -> implement(pair.left()));
        tasks.push(() -> implement(pair.right()));
      }
      for (LogicalExpression expression : worthImplementing(group)) {
        tasks.push(() -> applyImplementations(group, expression));
        expression.inputs().forEach(input -> tasks.push(() -> implement(input)));
      }
    }
  }

  /**
   * Combines all implementations of an expression with the frontier of its input group (paper,
   * section 3.2): those that the rules made for sampling and for which estimates exist; for a
   * merge, the plans of its branches.
   */
  private void applyImplementations(Group group, LogicalExpression expression) {
    applications++;
    List<PhysicalExpression> implementations = new ArrayList<>();
    for (SearchProblem.Implementation one : implementations(expression.position())) {
      implementations.add(new PhysicalExpression(expression, one.id(), one.perInput()));
    }
    GroupFrontier input = expression.input().frontier();
    double error = 1 + input.error();
    if (expression.branches() != null) {
      GroupFrontier branches = expression.branches().frontier();
      String physical = implementations.removeFirst().physical();
      for (Subplan plan : branches.subplans()) {
        implementations.add(new PhysicalExpression(expression, physical, plan.metrics(), plan));
      }
      error *= 1 + branches.error();
    }
    group.frontier().offer(new CrossProduct(input.subplans(), implementations, error - 1));
  }

  Memo memo() {
    return memo;
  }

  /** The group that stands for the whole program. */
  Group root() {
    return memo.root();
  }

  /** The subplans of the whole program. */
  GroupFrontier result() {
    return memo.root().frontier();
  }

  /** All explored groups. */
  Set<Group> groups() {
    return explored;
  }

  List<SearchProblem.Implementation> implementations(int position) {
    return problem.implementations().get(position);
  }

  /** Positions of the worthwhile root operators of a group. */
  private List<Integer> roots(Group group) {
    return roots.computeIfAbsent(group, _ -> orders.roots(group.key()));
  }

  /** The expressions of an explored group that have a worthwhile root operator. */
  List<LogicalExpression> worthImplementing(Group group) {
    List<LogicalExpression> worth = new ArrayList<>();
    for (LogicalExpression expression : group.logicalExpressions()) {
      if (roots(group).contains(expression.position()) && orders.isLegal(expression)) {
        worth.add(expression);
      }
    }
    return worth;
  }

  /** The number of applications of a rule to an expression. */
  int applications() {
    return applications;
  }
}

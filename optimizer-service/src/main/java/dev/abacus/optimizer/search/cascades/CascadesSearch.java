package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
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
 * One run of the Cascades search: a memo and a stack of tasks (paper, algorithm 4). It explores all
 * groups before it implements the first.
 */
final class CascadesSearch {

  private final SearchProblem problem;
  private final OrderSpace orders;
  private final Memo memo;
  private final Deque<Task> stack = new ArrayDeque<>();
  private final Set<Group> explored = new HashSet<>();
  private final Set<Group> implemented = new HashSet<>();
  private final Map<Group, List<Integer>> roots = new HashMap<>();
  private final Map<LogicalExpression, Set<ApplyRule.Applicable>> applied = new HashMap<>();
  private int applications;

  CascadesSearch(
      SearchProblem problem, OrderSpace orders, Function<GroupKey, GroupFrontier> frontiers) {
    this.problem = problem;
    this.orders = orders;
    this.memo = new Memo(problem.graph(), frontiers);
  }

  /** Finds the logical expressions of all groups. */
  void explore() {
    push(new OptimizeGroup(memo.root(), OptimizeGroup.Phase.EXPLORE));
    work();
  }

  /** Finds the subplans of all groups; call {@link #explore} first. */
  void implement() {
    push(new OptimizeGroup(memo.root(), OptimizeGroup.Phase.IMPLEMENT));
    work();
  }

  private void work() {
    while (!stack.isEmpty()) {
      stack.pop().perform(this);
    }
  }

  void push(Task task) {
    stack.push(task);
  }

  Memo memo() {
    return memo;
  }

  /** The group that stands for the whole program. */
  Group root() {
    return memo.root();
  }

  /** All explored groups. */
  Set<Group> groups() {
    return explored;
  }

  List<SearchProblem.Implementation> implementations(int position) {
    return problem.implementations().get(position);
  }

  /** Positions of the worthwhile root operators of a group. */
  List<Integer> roots(Group group) {
    List<Integer> known = roots.get(group);
    if (known == null) {
      known = orders.roots(group.key());
      roots.put(group, known);
    }
    return known;
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

  /** Whether an operator is a join of streams or a merge. */
  boolean isDivided(int position) {
    return !problem.graph().contents(position).isEmpty();
  }

  /** True on the first call for a group. */
  boolean isFirstExploration(Group group) {
    return explored.add(group);
  }

  /** True on the first call for a group. */
  boolean isFirstImplementation(Group group) {
    return implemented.add(group);
  }

  /** True on the first call for an expression and a rule. */
  boolean isFirstApplication(LogicalExpression expression, ApplyRule.Applicable rule) {
    Set<ApplyRule.Applicable> before = applied.get(expression);
    if (before == null) {
      before = new HashSet<>();
      applied.put(expression, before);
    }
    boolean first = before.add(rule);
    applications += first ? 1 : 0;
    return first;
  }

  /** The number of applications of a rule to an expression. */
  int applications() {
    return applications;
  }
}

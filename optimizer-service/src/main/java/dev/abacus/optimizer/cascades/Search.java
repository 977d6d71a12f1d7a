package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.memo.Group;
import dev.abacus.optimizer.memo.LogicalExpression;
import dev.abacus.optimizer.memo.Memo;
import dev.abacus.schemas.program.Program;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;

/** One run over the plan space: a memo and a stack of tasks (paper, algorithm 4). */
final class Search {

  private final Memo memo;
  private final SurvivorRule survivors;
  private final Deque<Task> stack = new ArrayDeque<>();
  private final Set<Group> explored = new HashSet<>();
  private final Set<Group> implemented = new HashSet<>();
  private final FreeOrder freeOrder = new FreeOrder();
  private final Set<Application> applications = new HashSet<>();

  private record Application(LogicalExpression expression, ApplyRule.Applicable rule) {}

  Search(Program program, SurvivorRule survivors) {
    this.survivors = survivors;
    this.memo = new Memo(program, survivors::survivors);
  }

  /** Works until the stack is empty. */
  void run() {
    push(new OptimizeGroup(memo.root(), OptimizeGroup.Phase.IMPLEMENT));
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

  List<SurvivorRule.Implementation> implementations(int position) {
    return survivors.implementations(position);
  }

  /**
   * The expressions of an explored group that can contribute a survivor: all, unless the order of
   * operators makes no difference; then one order is enough.
   */
  Collection<LogicalExpression> worthImplementing(Group group) {
    SequencedSet<LogicalExpression> all = group.logicalExpressions();
    return survivors.isOrderFree() && !all.isEmpty() ? List.of(freeOrder.preferred(group)) : all;
  }

  /** True the first time it is asked of a group. */
  boolean isFirstExploration(Group group) {
    return explored.add(group);
  }

  boolean isExplored(Group group) {
    return explored.contains(group);
  }

  /** True the first time it is asked of a group. */
  boolean isFirstImplementation(Group group) {
    return implemented.add(group);
  }

  /** True the first time it is asked of an expression and a rule. */
  boolean isFirstApplication(LogicalExpression expression, ApplyRule.Applicable rule) {
    return applications.add(new Application(expression, rule));
  }

  /**
   * Sees to an expression that a transformation found. A group that is not explored yet will come
   * to its expressions by itself; and no explored group but the one at work gets new ones, since
   * the transformation rules reach all its expressions from any of them.
   */
  void found(Memo.Added added) {
    if (explored.contains(added.group())) {
      push(new OptimizeLogicalExpression(added.group(), added.expression()));
    }
  }

  SearchStatistics statistics(double millis) {
    return new SearchStatistics(memo.groups(), memo.expressions(), applications.size(), millis);
  }
}

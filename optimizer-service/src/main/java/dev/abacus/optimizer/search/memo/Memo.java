package dev.abacus.optimizer.search.memo;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one search (paper, section 3.1). Initially it contains the program as written, with
 * one expression per group.
 */
public final class Memo {

  private final ProgramGraph graph;
  private final Function<GroupKey, GroupFrontier> frontiers;
  private final Map<GroupKey, Group> groups = new HashMap<>();
  private final Group root;
  private int expressions;

  /**
   * Creates the initial groups of a program (paper, algorithm 2, line 2).
   *
   * @param frontiers creates the empty frontier of a new group
   */
  public Memo(ProgramGraph graph, Function<GroupKey, GroupFrontier> frontiers) {
    this.graph = graph;
    this.frontiers = frontiers;
    this.root = group(graph.whole());
    Deque<Group> below = new ArrayDeque<>(List.of(root));
    while (!below.isEmpty()) {
      Group group = below.pop();
      group.sides().forEach(pair -> below.addAll(List.of(pair.left(), pair.right())));
      asWritten(group).forEach(expression -> below.addAll(expression.inputs()));
    }
  }

  /** The group with all operators. */
  public Group root() {
    return root;
  }

  /**
   * Adds an expression to its group, and creates the group if it does not exist.
   *
   * @return the group
   */
  public Group add(LogicalExpression expression) {
    Group group = group(expression.key());
    expressions += group.add(expression) ? 1 : 0;
    return group;
  }

  /**
   * The expressions of a group with the last written operator as root, which is always legal; none
   * for a source or for two sides.
   */
  public List<LogicalExpression> asWritten(Group group) {
    int last = graph.members(group.key()).length() - 1;
    return last < 0 ? List.of() : expressions(group, last);
  }

  /**
   * The expressions of a group with a given root operator; created if they do not exist. A merge
   * has one for each way to divide the other operators into those of its branches and those below.
   *
   * @param position of an operator that no other operator of the group must follow
   */
  public List<LogicalExpression> expressions(Group group, int position) {
    GroupKey rest = group.key().without(position);
    if (graph.contents(position).isEmpty()) {
      return List.of(expression(group, position, group(rest), null));
    }
    List<LogicalExpression> expressions = new ArrayList<>();
    for (GroupKey content : graph.contents(position)) {
      GroupKey below = rest.without(content);
      boolean merges = graph.operators().get(position).isPerDocument();
      if (rest.containsAll(content) && (merges || below.isEmpty())) {
        expressions.add(
            merges
                ? expression(group, position, group(below), group(content))
                : expression(group, position, group(content), null));
      }
    }
    return expressions;
  }

  private LogicalExpression expression(
      Group group, int position, Group input, @Nullable Group branches) {
    LogicalOperator operator = graph.operators().get(position);
    LogicalExpression expression =
        new LogicalExpression(operator, position, group.key(), input, branches);
    add(expression);
    return expression;
  }

  /** Number of groups. */
  public int groups() {
    return groups.size();
  }

  /** Number of logical expressions in all groups. */
  public int expressions() {
    return expressions;
  }

  private Group group(GroupKey key) {
    Group known = groups.get(key);
    if (known != null) {
      return known;
    }
    List<Group.Sides> sides = new ArrayList<>();
    for (ProgramGraph.Sides pair : graph.sides(key)) {
      sides.add(new Group.Sides(group(pair.left()), group(pair.right())));
    }
    Group group = new Group(key, maps(key), frontiers.apply(key), sides);
    if (key.isEmpty() && sides.isEmpty()) {
      group.frontier().offer(Subplan.SOURCE);
    }
    groups.put(key, group);
    return group;
  }

  private int maps(GroupKey key) {
    int maps = 0;
    for (int position = 0; position < graph.operators().size(); position++) {
      boolean counts = graph.operators().get(position) instanceof SemanticMap;
      maps += counts && key.contains(position) ? 1 : 0;
    }
    return maps;
  }
}

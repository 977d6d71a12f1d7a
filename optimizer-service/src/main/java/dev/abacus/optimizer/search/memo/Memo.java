package dev.abacus.optimizer.search.memo;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

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
  public Memo(Program program, Function<GroupKey, GroupFrontier> frontiers) {
    this(ProgramGraph.of(program), frontiers);
  }

  /**
   * Creates the initial groups of a program.
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
      if (!group.key().isEmpty()) {
        LogicalExpression written = asWritten(group);
        below.push(written.input());
        if (written.right() != null) {
          below.push(written.right());
        }
      }
    }
  }

  /** The group with all operators. */
  public Group root() {
    return root;
  }

  /**
   * Adds an expression to its group, and creates the group if it does not exist.
   *
   * @return the group, and whether the expression was new
   */
  public Added add(LogicalExpression expression) {
    Group group = group(expression.key());
    boolean isNew = group.add(expression);
    expressions += isNew ? 1 : 0;
    return new Added(expression, group, isNew);
  }

  /** The expression of a group with the last written operator as root, which is always legal. */
  public LogicalExpression asWritten(Group group) {
    return expression(group, group.key().operators().length() - 1);
  }

  /**
   * The expression of a group with a given root operator; created if it does not exist.
   *
   * @param position of an operator that no other operator of the group must follow
   */
  public LogicalExpression expression(Group group, int position) {
    LogicalOperator operator = graph.operators().get(position);
    ProgramGraph.Sides sides = graph.sides(position);
    LogicalExpression expression =
        sides == null
            ? new LogicalExpression(operator, position, group(group.key().without(position)))
            : new LogicalExpression(operator, position, group(sides.left()), group(sides.right()));
    return add(expression).expression();
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
    Group group = new Group(key, maps(key), frontiers.apply(key));
    if (key.isEmpty()) {
      group.offer(Subplan.SOURCE);
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

  /** The result of adding an expression. */
  public record Added(LogicalExpression expression, Group group, boolean isNew) {}
}

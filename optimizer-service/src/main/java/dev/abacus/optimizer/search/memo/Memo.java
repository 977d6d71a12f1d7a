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

/** All groups of one search. Starts as the program is written, one expression per group. */
public final class Memo {

  private final ProgramGraph graph;
  private final Function<GroupKey, GroupFrontier> frontiers;
  private final Map<GroupKey, Group> groups = new HashMap<>();
  private final Group root;
  private int expressions;

  /**
   * The initial groups of a program (paper, algorithm 2, line 2).
   *
   * @param frontiers makes the frontiers of a new group
   */
  public Memo(Program program, Function<GroupKey, GroupFrontier> frontiers) {
    this(ProgramGraph.of(program), frontiers);
  }

  /**
   * The initial groups of a program.
   *
   * @param frontiers makes the frontiers of a new group
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

  /** The group with all operators applied. */
  public Group root() {
    return root;
  }

  /**
   * Adds an expression to its group, which is made if need be.
   *
   * @return its group, and whether it was new there
   */
  public Added add(LogicalExpression expression) {
    Group group = group(expression.key());
    boolean isNew = group.add(expression);
    expressions += isNew ? 1 : 0;
    return new Added(expression, group, isNew);
  }

  /** The expression of a group that has the operator written last on top; it is always legal. */
  public LogicalExpression asWritten(Group group) {
    return expression(group, group.key().operators().length() - 1);
  }

  /**
   * The expression of a group that has a given one of its operators on top; made if need be.
   *
   * @param position of an operator that no other one of the group has to come after
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

  /** What came of adding an expression. */
  public record Added(LogicalExpression expression, Group group, boolean isNew) {}
}

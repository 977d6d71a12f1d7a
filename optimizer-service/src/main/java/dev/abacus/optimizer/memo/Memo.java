package dev.abacus.optimizer.memo;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticMap;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** All groups of one search. Starts as the program is written, one expression per group. */
public final class Memo {

  private final List<LogicalOperator> operators;
  private final Function<GroupKey, Survivors> survivors;
  private final Map<GroupKey, Group> groups = new HashMap<>();
  private final Group root;
  private int expressions;

  /**
   * The initial groups of a program (paper, algorithm 2, line 2).
   *
   * @param survivors makes the survivors of a new group
   */
  public Memo(Program program, Function<GroupKey, Survivors> survivors) {
    this.operators = program.operators();
    this.survivors = survivors;
    Group group = group(new GroupKey(sources(program), new BitSet()));
    group.offer(Subplan.SOURCE);
    for (int position = 0; position < operators.size(); position++) {
      group = add(new LogicalExpression(operators.get(position), position, group)).group();
    }
    this.root = group;
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
    GroupKey below = group.key().without(position);
    return add(new LogicalExpression(operators.get(position), position, group(below))).expression();
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
    return groups.computeIfAbsent(key, _ -> new Group(key, maps(key), survivors.apply(key)));
  }

  private int maps(GroupKey key) {
    return (int)
        key.operators().stream()
            .filter(position -> operators.get(position) instanceof SemanticMap)
            .count();
  }

  private static Set<String> sources(Program program) {
    Set<String> names = new HashSet<>();
    program.sources().forEach(source -> names.add(source.name()));
    return names;
  }

  /** What came of adding an expression. */
  public record Added(LogicalExpression expression, Group group, boolean isNew) {}
}

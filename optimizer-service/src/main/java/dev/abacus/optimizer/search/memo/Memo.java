package dev.abacus.optimizer.search.memo;

import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a program with their logical expressions (paper, section 3.1). A group has an
 * expression for each operator that the {@link OrderSpace} tries on top of it; the groups below are
 * those that the expressions combine. All runs of a search share the memo, because it does not
 * depend on what they keep of a group.
 */
public final class Memo {

  private final ProgramGraph graph;
  private final OrderSpace orders;
  private final Map<GroupKey, Group> groups = new LinkedHashMap<>();
  private final Deque<Group> unexplored = new ArrayDeque<>();
  private final Group root;
  private int expressions;
  private int exchanges;

  private Memo(ProgramGraph graph, OrderSpace orders) {
    this.graph = graph;
    this.orders = orders;
    this.root = group(graph.whole());
  }

  /**
   * Finds all groups and expressions of a program.
   *
   * @return null if there are more than {@code most} groups
   */
  public static @Nullable Memo explored(ProgramGraph graph, OrderSpace orders, int most) {
    Memo memo = new Memo(graph, orders);
    while (!memo.unexplored.isEmpty() && memo.groups.size() <= most) {
      memo.explore(memo.unexplored.pop());
    }
    return memo.groups.size() > most ? null : memo;
  }

  /** Finds the expressions of a group, and with them groups below it. */
  private void explore(Group group) {
    int lastWritten = graph.members(group.key()).length() - 1;
    for (int position : orders.roots(group.key())) {
      List<LogicalExpression> found = expressions(group.key(), position);
      found.forEach(group::add);
      expressions += found.size();
      exchanges += position == lastWritten ? 0 : found.size();
    }
  }

  /**
   * The expressions of a group with a given root operator. A merge has one for each way to divide
   * the other operators into those of its branches and those below.
   */
  private List<LogicalExpression> expressions(GroupKey key, int position) {
    GroupKey rest = key.without(position);
    if (graph.contents(position).isEmpty()) {
      return List.of(expression(position, rest, null));
    }
    List<LogicalExpression> expressions = new ArrayList<>();
    for (GroupKey content : graph.contents(position)) {
      GroupKey below = rest.without(content);
      boolean merges = graph.operators().get(position).isPerDocument();
      if (rest.containsAll(content)
          && (merges ? orders.mayFollow(position, below) : below.isEmpty())) {
        expressions.add(
            merges ? expression(position, below, content) : expression(position, content, null));
      }
    }
    return expressions;
  }

  private LogicalExpression expression(int position, GroupKey input, @Nullable GroupKey branches) {
    return new LogicalExpression(
        graph.operators().get(position),
        position,
        group(input),
        branches == null ? null : group(branches));
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
    Group group = new Group(key, maps(key), sides);
    groups.put(key, group);
    unexplored.push(group);
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

  /** The group with all operators. */
  public Group root() {
    return root;
  }

  /** All groups. */
  public Collection<Group> groups() {
    return Collections.unmodifiableCollection(groups.values());
  }

  /** Number of logical expressions in all groups. */
  public int expressions() {
    return expressions;
  }

  /**
   * The number of applications of a rule: one for each expression whose operator on top is not the
   * one that is written last, and one that implements it for each expression.
   */
  public int applications() {
    return exchanges + expressions;
  }
}

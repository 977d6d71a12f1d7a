package dev.abacus.optimizer.search.memo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A group of the memo: all equivalent ways to apply one set of operators (paper, section 3.1).
 *
 * <p>Groups are compared by identity; the memo has one group per key.
 */
public final class Group {

  private final GroupKey key;
  private final int maps;
  private final List<Sides> sides;
  private final List<LogicalExpression> expressions = new ArrayList<>();

  /** Two groups that run side by side: each pair of their subplans is a subplan. */
  public record Sides(Group left, Group right) {}

  Group(GroupKey key, int maps, List<Sides> sides) {
    this.key = key;
    this.maps = maps;
    this.sides = List.copyOf(sides);
  }

  public GroupKey key() {
    return key;
  }

  /** The ways to divide its operators into two sides; empty if it has no sides. */
  public List<Sides> sides() {
    return sides;
  }

  /** The logical expressions; empty for a source and for two sides. */
  public List<LogicalExpression> expressions() {
    return Collections.unmodifiableList(expressions);
  }

  /** Whether it is what a chain starts with, without operators. */
  public boolean isBase() {
    return key.isEmpty() && sides.isEmpty();
  }

  /** The number of maps among its operators. */
  int maps() {
    return maps;
  }

  void add(LogicalExpression expression) {
    expressions.add(expression);
  }
}

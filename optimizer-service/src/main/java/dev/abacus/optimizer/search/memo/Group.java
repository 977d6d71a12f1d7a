package dev.abacus.optimizer.search.memo;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * A group of the memo: all equivalent ways to apply one set of operators (paper, section 3.1). It
 * holds logical expressions and one frontier of subplans over all physical expressions. One
 * frontier per group, not per expression: a subplan that a subplan of another expression dominates
 * is dropped.
 *
 * <p>Groups are compared by identity; the memo has one group per key.
 */
public final class Group {

  private final GroupKey key;
  private final int maps;
  private final GroupFrontier frontier;
  private final List<Sides> sides;
  private final SequencedSet<LogicalExpression> logical = new LinkedHashSet<>();

  /** Two groups that run side by side: each pair of their subplans is a subplan. */
  public record Sides(Group left, Group right) {}

  Group(GroupKey key, int maps, GroupFrontier frontier, List<Sides> sides) {
    this.key = key;
    this.maps = maps;
    this.frontier = frontier;
    this.sides = List.copyOf(sides);
  }

  public GroupKey key() {
    return key;
  }

  /** The ways to divide its operators into two sides; empty if it has no sides. */
  public List<Sides> sides() {
    return sides;
  }

  /** The logical expressions found so far, in order of discovery; empty for a source. */
  public SequencedSet<LogicalExpression> logicalExpressions() {
    return Collections.unmodifiableSequencedSet(logical);
  }

  /** The subplans found so far. */
  public GroupFrontier frontier() {
    return frontier;
  }

  /** The number of maps among its operators. */
  int maps() {
    return maps;
  }

  boolean add(LogicalExpression expression) {
    return logical.add(expression);
  }
}

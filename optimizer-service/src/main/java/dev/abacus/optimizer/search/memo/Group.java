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

  /** The frontier of subplans found so far. */
  public List<Subplan> subplans() {
    return frontier.subplans();
  }

  /** The error of {@link #subplans}, see {@link GroupFrontier#error}. */
  public double error() {
    return frontier.error();
  }

  /** Adds a subplan to the frontier, unless it is dominated. */
  public void offer(Subplan subplan) {
    frontier.offer(subplan);
  }

  /** Adds each pair of subplans of both sides to the frontier, unless it is dominated. */
  public void offer(Sides pairs) {
    frontier.offer(pairs);
  }

  /** Adds the subplans of a cross product to the frontier, unless they are dominated. */
  public void offer(CrossProduct product) {
    frontier.offer(product);
  }

  /** The number of maps among its operators. */
  int maps() {
    return maps;
  }

  boolean add(LogicalExpression expression) {
    return logical.add(expression);
  }
}

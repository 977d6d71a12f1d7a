package dev.abacus.optimizer.search.memo;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * All ways to have applied one set of operators (paper, section 3.1): as logical expressions, and
 * as the subplans that survive among the physical ones. It has one set of frontier, not one per
 * expression: a subplan that another expression beats is gone.
 *
 * <p>Groups are equal only to themselves; the memo has one per key.
 */
public final class Group {

  private final GroupKey key;
  private final int maps;
  private final GroupFrontier frontier;
  private final SequencedSet<LogicalExpression> logical = new LinkedHashSet<>();

  Group(GroupKey key, int maps, GroupFrontier frontier) {
    this.key = key;
    this.maps = maps;
    this.frontier = frontier;
  }

  public GroupKey key() {
    return key;
  }

  /** The logical expressions found so far, in order of discovery; none for a bare source. */
  public SequencedSet<LogicalExpression> logicalExpressions() {
    return Collections.unmodifiableSequencedSet(logical);
  }

  /** The best subplans found so far. */
  public List<Subplan> subplans() {
    return frontier.subplans();
  }

  /** How far {@link #subplans} may fall short; see {@link GroupFrontier#error}. */
  public double error() {
    return frontier.error();
  }

  /** Takes a way to carry out this group in. */
  public void offer(Subplan subplan) {
    frontier.offer(subplan);
  }

  /** Takes many ways to carry out this group in. */
  public void offer(CrossProduct product) {
    frontier.offer(product);
  }

  /** How many of its operators are maps. */
  int maps() {
    return maps;
  }

  boolean add(LogicalExpression expression) {
    return logical.add(expression);
  }
}

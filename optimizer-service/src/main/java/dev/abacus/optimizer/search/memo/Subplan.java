package dev.abacus.optimizer.search.memo;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One complete way to execute a group: a root expression with a back-pointer to the subplan of its
 * input. Final plans are read from the back-pointers without another enumeration. Subplans are
 * compared by {@link #ORDER} or by identity, since all parts below count for equality.
 *
 * @param root expression; null for a base and for two sides
 * @param input of the root expression, or the left one of two sides; null for a source
 * @param right one of two sides, else null
 * @param metrics per document that the chain starts with
 */
public record Subplan(
    @Nullable PhysicalExpression root,
    @Nullable Subplan input,
    @Nullable Subplan right,
    OperatorEstimate metrics) {

  /** The source without operators. */
  public static final Subplan SOURCE = new Subplan(null, null, null, OperatorEstimate.RELATIONAL);

  /**
   * A total order of the subplans of a group that breaks ties: higher quality, lower cost, lower
   * latency, filters before maps (they can only save work), the order closest to the program as
   * written, ids of implementations. It does not depend on the order of discovery, and it stays the
   * same if both subplans get the same operator on top.
   */
  public static final Comparator<Subplan> ORDER =
      Comparator.comparing(Subplan::rounded, OperatorEstimate.BEST_FIRST)
          .thenComparingInt(Subplan::lateFilters)
          .thenComparing(Subplan::compareOperators);

  /**
   * Two sides, without a root expression.
   *
   * @param metrics of both together, per document of the group
   */
  public static Subplan sides(Subplan left, Subplan right, OperatorEstimate metrics) {
    return new Subplan(null, left, right, metrics);
  }

  /**
   * A subplan with a root expression over an input subplan.
   *
   * @param metrics of the whole, per document that the chain starts with
   */
  public static Subplan of(PhysicalExpression root, Subplan input, OperatorEstimate metrics) {
    return new Subplan(root, input, null, metrics);
  }

  /** The same plan with other metrics. */
  public Subplan with(OperatorEstimate other) {
    return new Subplan(root, input, right, other);
  }

  /** {@link #metrics}, rounded for comparisons. */
  public OperatorEstimate rounded() {
    return metrics.rounded();
  }

  /** Number of pairs of a map and a later filter, whose work the filter could have saved. */
  private int lateFilters() {
    return expressions().stream().mapToInt(step -> step.logical().mapsBefore()).sum();
  }

  /** The expressions in execution order, the left one of two sides first. */
  public List<PhysicalExpression> expressions() {
    List<PhysicalExpression> expressions = new ArrayList<>();
    collect(expressions);
    return List.copyOf(expressions.reversed());
  }

  /** From the root down. */
  private void collect(List<PhysicalExpression> into) {
    for (Subplan at = this; at != null; at = at.input) {
      if (at.root != null) {
        into.add(at.root);
        if (at.root.branches() != null) {
          at.root.branches().collect(into);
        }
      }
      if (at.right != null) {
        at.right.collect(into);
      }
    }
  }

  /** From the root down: the later written operator first, then the smaller id. */
  @SuppressWarnings("ReferenceEquality") // what both share is the same object
  private int compareOperators(Subplan other) {
    Subplan mine = this;
    Subplan its = other;
    while (mine != null && its != null && mine != its) {
      int byRoot =
          mine.root == null || its.root == null
              ? Boolean.compare(mine.root == null, its.root == null)
              : compareRoots(mine.root, its.root);
      if (byRoot == 0 && mine.right != null && its.right != null) {
        byRoot = mine.right.compareOperators(its.right);
      }
      if (byRoot != 0) {
        return byRoot;
      }
      mine = mine.input;
      its = its.input;
    }
    return 0;
  }

  private static int compareRoots(PhysicalExpression mine, PhysicalExpression its) {
    int byPosition = Integer.compare(its.logical().position(), mine.logical().position());
    if (byPosition != 0 || mine.branches() == null || its.branches() == null) {
      return byPosition != 0 ? byPosition : mine.physical().compareTo(its.physical());
    }
    return mine.branches().compareOperators(its.branches());
  }
}

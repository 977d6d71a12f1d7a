package dev.abacus.optimizer.search.memo;

import dev.abacus.optimizer.search.pareto.MetricVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One way to carry out a group, whole: the expression on top, and a back-pointer to the subplan
 * below. Final plans are read off the back-pointers; nothing is enumerated again.
 */
public final class Subplan {

  /** The source alone. */
  public static final Subplan SOURCE = new Subplan(null, null, null, MetricVector.SOURCE);

  /**
   * A total order of the subplans of a group, for ties: better quality, then less cost, then less
   * latency; filters before maps, since they can only save work; then as close to the order written
   * as can be, and the ids of implementations. It does not depend on the order of discovery, and an
   * operator put on top of both of two subplans leaves it as it is.
   */
  public static final Comparator<Subplan> ORDER = Subplan::compare;

  private final @Nullable PhysicalExpression top;
  private final @Nullable Subplan input;
  private final @Nullable Subplan right;
  private final MetricVector metrics;
  private final MetricVector rounded;
  private final int lateFilters;

  private Subplan(
      @Nullable PhysicalExpression top,
      @Nullable Subplan input,
      @Nullable Subplan right,
      MetricVector metrics) {
    this.top = top;
    this.input = input;
    this.right = right;
    this.metrics = metrics;
    this.rounded = metrics.rounded();
    this.lateFilters =
        (top == null ? 0 : top.logical().mapsBefore())
            + (input == null ? 0 : input.lateFilters)
            + (right == null ? 0 : right.lateFilters);
  }

  /**
   * Two sides of a join, with nothing on top yet.
   *
   * @param metrics of both together, per source document
   */
  public static Subplan sides(Subplan left, Subplan right, MetricVector metrics) {
    return new Subplan(null, left, right, metrics);
  }

  /**
   * A subplan with an expression on top of another one.
   *
   * @param metrics of the whole, per source document
   */
  public static Subplan of(PhysicalExpression top, Subplan input, MetricVector metrics) {
    return new Subplan(top, input, null, metrics);
  }

  /** What it does per source document. */
  public MetricVector metrics() {
    return metrics;
  }

  /** {@link #metrics} to compare by. */
  public MetricVector rounded() {
    return rounded;
  }

  /** Its expressions in execution order, those of a left side before those of the right. */
  public List<PhysicalExpression> expressions() {
    List<PhysicalExpression> expressions = new ArrayList<>();
    collect(expressions);
    return List.copyOf(expressions.reversed());
  }

  /** From the top down. */
  private void collect(List<PhysicalExpression> into) {
    for (Subplan at = this; at != null; at = at.input) {
      if (at.top != null) {
        into.add(at.top);
      }
      if (at.right != null) {
        at.right.collect(into);
      }
    }
  }

  private static int compare(Subplan one, Subplan other) {
    int order = Double.compare(other.rounded.quality(), one.rounded.quality());
    order = order != 0 ? order : Double.compare(one.rounded.cost(), other.rounded.cost());
    order = order != 0 ? order : Double.compare(one.rounded.latency(), other.rounded.latency());
    order = order != 0 ? order : Integer.compare(one.lateFilters, other.lateFilters);
    return order != 0 ? order : one.compareOperators(other);
  }

  /** From the top down: what was written later goes on top, then the lesser id. */
  private int compareOperators(Subplan other) {
    Subplan mine = this;
    Subplan its = other;
    while (mine != null && its != null && mine != its) {
      int byTop =
          mine.top == null || its.top == null
              ? Boolean.compare(mine.top == null, its.top == null)
              : compareTops(mine.top, its.top);
      if (byTop == 0 && mine.right != null && its.right != null) {
        byTop = mine.right.compareOperators(its.right);
      }
      if (byTop != 0) {
        return byTop;
      }
      mine = mine.input;
      its = its.input;
    }
    return 0;
  }

  private static int compareTops(PhysicalExpression mine, PhysicalExpression its) {
    int byPosition = Integer.compare(its.logical().position(), mine.logical().position());
    return byPosition != 0 ? byPosition : mine.physical().compareTo(its.physical());
  }
}

package dev.abacus.optimizer.memo;

import dev.abacus.optimizer.pareto.MetricVector;
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
  public static final Subplan SOURCE = new Subplan(null, null, MetricVector.SOURCE);

  /**
   * A total order of the subplans of a group, for ties: better quality, then less cost, then less
   * latency; filters before maps, since they can only save work; then as close to the order written
   * as can be, and the ids of implementations. It does not depend on the order of discovery, and an
   * operator put on top of both of two subplans leaves it as it is.
   */
  public static final Comparator<Subplan> ORDER =
      Comparator.comparingDouble((Subplan subplan) -> -subplan.rounded.quality())
          .thenComparingDouble(subplan -> subplan.rounded.cost())
          .thenComparingDouble(subplan -> subplan.rounded.latency())
          .thenComparingInt(subplan -> subplan.lateFilters)
          .thenComparing(Subplan::compareOperators);

  private final @Nullable PhysicalExpression top;
  private final @Nullable Subplan input;
  private final MetricVector metrics;
  private final MetricVector rounded;
  private final int lateFilters;

  private Subplan(@Nullable PhysicalExpression top, @Nullable Subplan input, MetricVector metrics) {
    this.top = top;
    this.input = input;
    this.metrics = metrics;
    this.rounded = metrics.rounded();
    this.lateFilters =
        top == null || input == null ? 0 : input.lateFilters + top.logical().mapsBefore();
  }

  /**
   * A subplan with an expression on top of another one.
   *
   * @param metrics of the whole, per source document
   */
  public static Subplan of(PhysicalExpression top, Subplan input, MetricVector metrics) {
    return new Subplan(top, input, metrics);
  }

  /** What it does per source document. */
  public MetricVector metrics() {
    return metrics;
  }

  /** {@link #metrics} to compare by. */
  public MetricVector rounded() {
    return rounded;
  }

  /** Its expressions in execution order. */
  public List<PhysicalExpression> expressions() {
    List<PhysicalExpression> expressions = new ArrayList<>();
    for (Subplan at = this; at != null && at.top != null; at = at.input) {
      expressions.add(at.top);
    }
    return List.copyOf(expressions.reversed());
  }

  /** From the top down: what was written later goes on top, then the lesser id. */
  private int compareOperators(Subplan other) {
    Subplan mine = this;
    Subplan its = other;
    while (mine != null && its != null && mine != its && mine.top != null && its.top != null) {
      int byPosition = Integer.compare(its.top.logical().position(), mine.top.logical().position());
      int byId = mine.top.physical().compareTo(its.top.physical());
      if (byPosition != 0 || byId != 0) {
        return byPosition != 0 ? byPosition : byId;
      }
      mine = mine.input;
      its = its.input;
    }
    return 0;
  }
}

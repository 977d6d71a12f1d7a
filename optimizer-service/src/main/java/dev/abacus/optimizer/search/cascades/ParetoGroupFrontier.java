package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.CrossProduct;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.EpsilonThinning;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.optimizer.search.pareto.NonDominatedRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The subplans of a group that are admitted and that none dominates, as far as there is room.
 * Pruned whenever an expression of the group is through: the frontier is the group's, not an
 * expression's.
 */
final class ParetoGroupFrontier implements GroupFrontier {

  /** How many single subplans may wait to be compared. */
  private static final int UNSETTLED = 100_000;

  private final Metric[] metrics;
  private final Pruning admission;
  private final Room room;
  private List<Subplan> kept = new ArrayList<>();
  private boolean settled = true;
  private double error;

  ParetoGroupFrontier(Set<Metric> metrics, Pruning admission, Room room) {
    this.metrics = columns(metrics);
    this.admission = admission;
    this.room = room;
  }

  /** The metrics in the order of columns. */
  static Metric[] columns(Set<Metric> metrics) {
    Metric[] columns = metrics.toArray(new Metric[0]);
    Arrays.sort(columns);
    return columns;
  }

  /** What is done where more survive than there is room for. */
  interface Room {

    /** The most rows worth comparing exactly; of more, {@link #fit} is asked for so many first. */
    int roughly();

    /** The most that are kept. */
    int limit();

    /**
     * The most implementations worth combining with; of more, {@link #fit} is asked for so many
     * first.
     *
     * @param width how many metrics there are
     */
    int implementations(int width);

    /**
     * Chooses rows.
     *
     * @param rows indices, in lexicographic order or none
     * @return which to keep, at most so many as the limit, and how far they fall short of the rest
     */
    EpsilonThinning fit(LabelledRows table, int width, int[] rows, int limit);
  }

  @Override
  public void offer(Subplan subplan) {
    if (admission.admits(subplan.metrics())) {
      kept.add(subplan);
      settled = false;
      if (kept.size() > UNSETTLED) {
        settle();
      }
    }
  }

  private void settle() {
    if (!settled) {
      settled = true;
      if (kept.size() > 1) {
        offer(new CrossProduct(List.of(), List.of(), 0));
      }
    }
  }

  @Override
  public void offer(CrossProduct combination) {
    error = Math.max(error, combination.inputError());
    LabelledRows table = new LabelledRows(metrics.length);
    for (int i = 0; i < kept.size(); i++) {
      table.add(row(kept.get(i).metrics()), 0, ~i);
    }
    CrossProductRows product = new CrossProductRows(thinned(combination), metrics);
    product.collect(admission, table);
    List<Subplan> next = new ArrayList<>();
    int[] rows = skyline(table);
    for (int start = 0; start < rows.length; ) {
      int end = start + 1;
      while (end < rows.length && table.equalRows(rows[start], rows[end])) {
        end++;
      }
      Collection<Subplan> equals = new ArrayList<>();
      for (int i = start; i < end; i++) {
        int label = table.label(rows[i]);
        equals.add(label < 0 ? kept.get(~label) : product.subplan(label));
      }
      next.add(Collections.min(equals, Subplan.ORDER));
      start = end;
    }
    kept = next;
  }

  /** With no more implementations than are worth it; what is left out adds to the error. */
  private CrossProduct thinned(CrossProduct combination) {
    List<PhysicalExpression> tops = combination.tops();
    int most = room.implementations(metrics.length);
    if (combination.inputs().size() < 2 || tops.size() <= most) {
      return combination;
    }
    LabelledRows table = new LabelledRows(metrics.length);
    int[] all = new int[tops.size()];
    for (int i = 0; i < all.length; i++) {
      table.add(row(tops.get(i).perInput()), 0, i);
      all[i] = i;
    }
    List<PhysicalExpression> kept = new ArrayList<>();
    for (int i : fit(table, all, most)) {
      kept.add(tops.get(i));
    }
    return new CrossProduct(combination.inputs(), kept, combination.inputError());
  }

  @Override
  public List<Subplan> subplans() {
    settle();
    return Collections.unmodifiableList(kept);
  }

  private int[] skyline(LabelledRows table) {
    int width = metrics.length;
    if (table.count() <= room.roughly()) {
      int[] rows = NonDominatedRows.of(table.values(), table.count(), width);
      return fit(table, rows, room.limit());
    }
    int[] all = new int[table.count()];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    int[] some = fit(table, all, room.roughly());
    LabelledRows smaller = new LabelledRows(width);
    for (int i : some) {
      smaller.add(table.values(), i * width, i);
    }
    int[] rows = NonDominatedRows.of(smaller.values(), smaller.count(), width);
    rows = fit(smaller, rows, room.limit());
    for (int i = 0; i < rows.length; i++) {
      rows[i] = smaller.label(rows[i]);
    }
    return rows;
  }

  private int[] fit(LabelledRows table, int[] rows, int limit) {
    if (rows.length <= limit) {
      return rows;
    }
    EpsilonThinning thinning = room.fit(table, metrics.length, rows, limit);
    error = (1 + error) * (1 + thinning.error()) - 1;
    return thinning.rows();
  }

  @Override
  public double error() {
    return error;
  }

  private double[] row(MetricVector vector) {
    double[] row = new double[metrics.length];
    for (int column = 0; column < metrics.length; column++) {
      double value = vector.get(metrics[column]);
      row[column] = metrics[column] == Metric.QUALITY ? -value : value;
    }
    return row;
  }
}

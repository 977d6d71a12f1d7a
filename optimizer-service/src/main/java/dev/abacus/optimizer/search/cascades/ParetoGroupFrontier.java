package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.CrossProduct;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.EpsilonThinning;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.NonDominatedRows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The Pareto frontier of one group (paper, section 3.2), pruned and limited in size. It is pruned
 * after each expression of the group: the frontier belongs to the group, not to an expression.
 */
final class ParetoGroupFrontier implements GroupFrontier {

  /** The largest number of single subplans that wait to be compared. */
  private static final int UNSETTLED = 100_000;

  private final Metric[] metrics;
  private final Pruning pruning;
  private final FrontierLimit limit;
  private List<Subplan> kept = new ArrayList<>();
  private boolean settled = true;
  private double error;

  ParetoGroupFrontier(Set<Metric> metrics, Pruning pruning, FrontierLimit limit) {
    this.metrics = Metric.columns(metrics);
    this.pruning = pruning;
    this.limit = limit;
  }

  @Override
  public void offer(Subplan subplan) {
    if (pruning.keeps(subplan.metrics())) {
      kept.add(subplan);
      settled = false;
      if (kept.size() > UNSETTLED) {
        settle();
      }
    }
  }

  @Override
  public void offer(GroupFrontier lefts, GroupFrontier rights) {
    error = Math.max(error, (1 + lefts.error()) * (1 + rights.error()) - 1);
    GroupFrontier.super.offer(lefts, rights);
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
  public void offer(CrossProduct product) {
    error = Math.max(error, product.inputError());
    LabelledRows table = new LabelledRows(metrics.length);
    for (int i = 0; i < kept.size(); i++) {
      table.add(kept.get(i).metrics().row(metrics), 0, ~i);
    }
    CrossProductRows pairs = new CrossProductRows(limited(product), metrics);
    pairs.collect(pruning, table);
    List<Subplan> before = kept;
    kept =
        NonDominatedRows.smallest(
            table.values(),
            metrics.length,
            nonDominated(table),
            row -> {
              int label = table.label(row);
              return label < 0 ? before.get(~label) : pairs.subplan(label);
            },
            Subplan.ORDER);
  }

  /** Limits the implementations; dropped ones add to the error. */
  private CrossProduct limited(CrossProduct product) {
    List<PhysicalExpression> implementations = product.implementations();
    int most = limit.implementations(metrics.length);
    if (product.inputs().size() < 2 || implementations.size() <= most) {
      return product;
    }
    LabelledRows table = new LabelledRows(metrics.length);
    int[] all = new int[implementations.size()];
    for (int i = 0; i < all.length; i++) {
      table.add(implementations.get(i).perInput().row(metrics), 0, i);
      all[i] = i;
    }
    List<PhysicalExpression> kept = new ArrayList<>();
    for (int i : reduce(table, all, most)) {
      kept.add(implementations.get(i));
    }
    return new CrossProduct(product.inputs(), kept, product.inputError());
  }

  @Override
  public List<Subplan> subplans() {
    settle();
    return Collections.unmodifiableList(kept);
  }

  private int[] nonDominated(LabelledRows table) {
    int width = metrics.length;
    if (table.count() <= limit.exactComparisons()) {
      int[] rows = NonDominatedRows.of(table.values(), table.count(), width);
      return reduce(table, rows, limit.subplans());
    }
    int[] all = IntStream.range(0, table.count()).toArray();
    int[] some = reduce(table, all, limit.exactComparisons());
    LabelledRows smaller = new LabelledRows(width);
    for (int i : some) {
      smaller.add(table.values(), i * width, i);
    }
    int[] rows = NonDominatedRows.of(smaller.values(), smaller.count(), width);
    rows = reduce(smaller, rows, limit.subplans());
    for (int i = 0; i < rows.length; i++) {
      rows[i] = smaller.label(rows[i]);
    }
    return rows;
  }

  /** Reduces rows to a number and adds the approximation error. */
  private int[] reduce(LabelledRows table, int[] rows, int most) {
    if (rows.length <= most) {
      return rows;
    }
    EpsilonThinning thinning = limit.select(table, metrics.length, rows, most);
    error = (1 + error) * (1 + thinning.error()) - 1;
    return thinning.rows();
  }

  @Override
  public double error() {
    settle();
    return error;
  }
}

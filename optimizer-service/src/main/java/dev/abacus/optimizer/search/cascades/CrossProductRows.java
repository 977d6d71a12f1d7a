package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.memo.CrossProduct;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.DominancePrefilter;
import dev.abacus.optimizer.search.pareto.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a {@link CrossProduct} in flat arrays: {@link CostModel#after} for every pair of
 * an input and an implementation. Only pairs on the frontier become {@link Subplan} objects. Pairs
 * are processed in chunks to limit memory.
 */
final class CrossProductRows {

  /** By number of metrics: with fewer pairs, the prefilter costs more than it saves. */
  private static final int[] PREFILTER_FROM = {0, 30_000, 4_000, 30_000, 30_000};

  private static final int CHUNK = 1 << 18;

  private final CrossProduct product;
  private final Metric[] metrics;
  private final int width;
  private final List<OperatorEstimate> perInput = new ArrayList<>();

  /** By column, then implementation: its metric value. */
  private final double[][] perImplementation;

  /** By column: the part of a row that depends on the current input only. */
  private final double[] base;

  /** By column: the factor of the implementation's value for the current input. */
  private final double[] factor;

  private double[] rows = new double[256];
  private int[] pairs = new int[64];
  private int count;

  CrossProductRows(CrossProduct product, Metric[] metrics) {
    this.product = product;
    this.metrics = metrics;
    this.width = metrics.length;
    for (PhysicalExpression implementation : product.implementations()) {
      perInput.add(implementation.perInput());
    }
    this.perImplementation = new double[width][perInput.size()];
    for (int column = 0; column < width; column++) {
      for (int k = 0; k < perInput.size(); k++) {
        perImplementation[column][k] = perInput.get(k).get(metrics[column]);
      }
    }
    this.base = new double[width];
    this.factor = new double[width];
  }

  /**
   * Adds the pairs that the pruning keeps, without those that the prefilter finds dominated.
   *
   * @param into receives one row per pair, smaller being better, labelled with the pair's number
   */
  void collect(Pruning pruning, LabelledRows into) {
    Pruning.Check check = pruning.check(perInput);
    DominancePrefilter prefilter = null;
    int[] kept = new int[perInput.size()];
    for (int i = 0; i < product.inputs().size(); i++) {
      OperatorEstimate input = product.inputs().get(i).metrics();
      check.next(input);
      setInput(input);
      reserve();
      append(i, kept, check.kept(kept));
      if (count > CHUNK) {
        prefilter = prefiltered(prefilter, into);
      }
    }
    if (prefilter != null || count > PREFILTER_FROM[width]) {
      prefiltered(prefilter, into);
    } else {
      for (int i = 0; i < count; i++) {
        into.add(rows, i * width, pairs[i]);
      }
    }
  }

  /** The subplan of a pair. */
  Subplan subplan(int pair) {
    Subplan input = product.inputs().get(pair / perInput.size());
    PhysicalExpression root = product.implementations().get(pair % perInput.size());
    return Subplan.of(root, input, CostModel.after(input.metrics(), root.perInput()));
  }

  private void setInput(OperatorEstimate input) {
    for (int column = 0; column < width; column++) {
      base[column] =
          switch (metrics[column]) {
            case COST -> input.cost();
            case LATENCY -> input.latency();
            case QUALITY, CARDINALITY -> 0;
          };
      factor[column] =
          switch (metrics[column]) {
            case QUALITY -> -input.quality();
            case LATENCY -> 1;
            case COST, CARDINALITY -> input.selectivity();
          };
    }
  }

  /** Grows the arrays for all implementations of one input. */
  private void reserve() {
    if (count + perInput.size() > pairs.length) {
      int size = Math.max(count * 2, count + perInput.size());
      pairs = Arrays.copyOf(pairs, size);
      rows = Arrays.copyOf(rows, size * width);
    }
  }

  private void append(int input, int[] implementations, int some) {
    for (int column = 0; column < width; column++) {
      double fixed = base[column];
      double times = factor[column];
      double[] values = perImplementation[column];
      int at = count * width + column;
      for (int i = 0; i < some; i++) {
        rows[at] = fixed + times * values[implementations[i]];
        at += width;
      }
    }
    int first = input * perInput.size();
    for (int i = 0; i < some; i++) {
      pairs[count++] = first + implementations[i];
    }
  }

  /** Moves the rows that pass the prefilter from the chunk to the table. */
  private DominancePrefilter prefiltered(@Nullable DominancePrefilter given, LabelledRows into) {
    DominancePrefilter prefilter = given;
    if (prefilter == null) {
      prefilter = DominancePrefilter.spanning(rows, count, width);
      into.addTo(prefilter);
    }
    for (int i = 0; i < count; i++) {
      prefilter.add(rows, i * width);
    }
    prefilter.finish();
    for (int i = 0; i < count; i++) {
      if (prefilter.passes(rows, i * width)) {
        into.add(rows, i * width, pairs[i]);
      }
    }
    count = 0;
    return prefilter;
  }
}

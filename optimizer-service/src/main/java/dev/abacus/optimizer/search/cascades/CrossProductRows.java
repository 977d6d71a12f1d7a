package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.memo.CrossProduct;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.DominancePrefilter;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.MetricVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a {@link CrossProduct}, reckoned in flat arrays: {@link CostModel#after} for every
 * pair of an input and an implementation. Only pairs that survive become objects. Pairs are looked
 * at a chunk at a time, so that memory stays small however many there are.
 */
final class CrossProductRows {

  /** By number of metrics: with fewer pairs the sieve costs more than it saves. */
  private static final int[] WORTH_SIEVING = {0, 30_000, 4_000, 30_000, 30_000};

  private static final int CHUNK = 1 << 18;

  private final CrossProduct combination;
  private final Metric[] metrics;
  private final int width;
  private final List<MetricVector> perInput = new ArrayList<>();

  /** By column: of every implementation the value that a row is linear in. */
  private final double[][] tops;

  /** By column: what a row has of the input alone. */
  private final double[] base;

  /** By column: what the value of the implementation counts with this input. */
  private final double[] factor;

  private double[] rows = new double[256];
  private int[] pairs = new int[64];
  private int count;

  CrossProductRows(CrossProduct combination, Metric[] metrics) {
    this.combination = combination;
    this.metrics = metrics;
    this.width = metrics.length;
    for (PhysicalExpression top : combination.tops()) {
      perInput.add(top.perInput());
    }
    this.tops = new double[width][perInput.size()];
    for (int column = 0; column < width; column++) {
      for (int k = 0; k < perInput.size(); k++) {
        tops[column][k] = perInput.get(k).get(metrics[column]);
      }
    }
    this.base = new double[width];
    this.factor = new double[width];
  }

  /**
   * Adds the pairs that are admitted and that no other is seen at a glance to dominate.
   *
   * @param into rows of badness, each with the number of its pair
   */
  void collect(Pruning admission, LabelledRows into) {
    Pruning.Screen screen = admission.screen(perInput);
    DominancePrefilter sieve = null;
    int[] admitted = new int[perInput.size()];
    for (int i = 0; i < combination.inputs().size(); i++) {
      MetricVector input = combination.inputs().get(i).metrics();
      screen.over(input);
      setInput(input);
      reserve();
      append(i, admitted, screen.admitted(admitted));
      if (count > CHUNK) {
        sieve = sieved(sieve, into);
      }
    }
    if (sieve != null || count > WORTH_SIEVING[width]) {
      sieved(sieve, into);
    } else {
      for (int i = 0; i < count; i++) {
        into.add(rows, i * width, pairs[i]);
      }
    }
  }

  /** The subplan that a pair stands for. */
  Subplan subplan(int pair) {
    Subplan input = combination.inputs().get(pair / perInput.size());
    PhysicalExpression top = combination.tops().get(pair % perInput.size());
    return Subplan.of(top, input, CostModel.after(input.metrics(), top.perInput()));
  }

  private void setInput(MetricVector input) {
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
            case COST, CARDINALITY -> input.cardinality();
          };
    }
  }

  /** Makes room for all implementations of one input. */
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
      double[] top = tops[column];
      int at = count * width + column;
      for (int i = 0; i < some; i++) {
        rows[at] = fixed + times * top[implementations[i]];
        at += width;
      }
    }
    int first = input * perInput.size();
    for (int i = 0; i < some; i++) {
      pairs[count++] = first + implementations[i];
    }
  }

  /** Moves what passes the sieve from the chunk to the table. */
  private DominancePrefilter sieved(@Nullable DominancePrefilter given, LabelledRows into) {
    DominancePrefilter sieve = given;
    if (sieve == null) {
      sieve = DominancePrefilter.spanning(rows, count, width);
      into.note(sieve);
    }
    for (int i = 0; i < count; i++) {
      sieve.note(rows, i * width);
    }
    sieve.close();
    for (int i = 0; i < count; i++) {
      if (sieve.passes(rows, i * width)) {
        into.add(rows, i * width, pairs[i]);
      }
    }
    count = 0;
    return sieve;
  }
}

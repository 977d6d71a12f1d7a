package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.cost.CostModel;
import dev.abacus.optimizer.memo.Combination;
import dev.abacus.optimizer.memo.PhysicalExpression;
import dev.abacus.optimizer.memo.Subplan;
import dev.abacus.optimizer.pareto.Metric;
import dev.abacus.optimizer.pareto.MetricVector;
import dev.abacus.optimizer.pareto.Sieve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a {@link Combination}, reckoned in flat arrays: {@link CostModel#after} for every
 * pair of an input and an implementation. Only pairs that survive become objects. Pairs are looked
 * at a chunk at a time, so that memory stays small however many there are.
 */
final class Product {

  /** Below this many pairs the sieve costs more than it saves. */
  private static final int WORTH_SIEVING = 30_000;

  private static final int CHUNK = 1 << 18;

  private final Combination combination;
  private final Metric[] metrics;
  private final int width;
  private final Columns tops;
  private double[] rows = new double[256];
  private int[] pairs = new int[64];
  private int count;

  Product(Combination combination, Metric[] metrics) {
    this.combination = combination;
    this.metrics = metrics;
    this.width = metrics.length;
    List<MetricVector> perInput = new ArrayList<>();
    for (PhysicalExpression top : combination.tops()) {
      perInput.add(top.perInput());
    }
    this.tops = new Columns(perInput);
  }

  /** Some vectors as arrays of one metric each. */
  private static final class Columns {
    private final List<MetricVector> vectors;
    private final double[] quality;
    private final double[] cost;
    private final double[] latency;
    private final double[] cardinality;

    Columns(List<MetricVector> vectors) {
      this.vectors = vectors;
      int size = vectors.size();
      quality = new double[size];
      cost = new double[size];
      latency = new double[size];
      cardinality = new double[size];
      for (int i = 0; i < size; i++) {
        quality[i] = vectors.get(i).quality();
        cost[i] = vectors.get(i).cost();
        latency[i] = vectors.get(i).latency();
        cardinality[i] = vectors.get(i).cardinality();
      }
    }
  }

  /**
   * Adds the pairs that are admitted and that no other is seen at a glance to dominate.
   *
   * @param into rows of badness, each with the number of its pair
   */
  void collect(Admission admission, RowTable into) {
    Admission.Screen screen = admission.screen(tops.vectors);
    Sieve sieve = null;
    for (int i = 0; i < combination.inputs().size(); i++) {
      MetricVector input = combination.inputs().get(i).metrics();
      screen.over(input);
      for (int k = 0; k < tops.cost.length; k++) {
        if (screen.admits(k)) {
          append(input, i, k);
        }
      }
      if (count > CHUNK) {
        sieve = sieved(sieve, into);
      }
    }
    if (sieve != null || count > WORTH_SIEVING) {
      sieved(sieve, into);
    } else {
      for (int i = 0; i < count; i++) {
        into.add(rows, i * width, pairs[i]);
      }
    }
  }

  /** The subplan that a pair stands for. */
  Subplan subplan(int pair) {
    Subplan input = combination.inputs().get(pair / tops.cost.length);
    PhysicalExpression top = combination.tops().get(pair % tops.cost.length);
    return Subplan.of(top, input, CostModel.after(input.metrics(), top.perInput()));
  }

  private void append(MetricVector input, int i, int k) {
    if (count == pairs.length) {
      pairs = Arrays.copyOf(pairs, count * 2);
      rows = Arrays.copyOf(rows, count * 2 * width);
    }
    int at = count * width;
    for (Metric metric : metrics) {
      rows[at++] =
          switch (metric) {
            case QUALITY -> -(input.quality() * tops.quality[k]);
            case COST -> input.cost() + input.cardinality() * tops.cost[k];
            case LATENCY -> input.latency() + tops.latency[k];
            case CARDINALITY -> input.cardinality() * tops.cardinality[k];
          };
    }
    pairs[count++] = i * tops.cost.length + k;
  }

  /** Moves what passes the sieve from the chunk to the table. */
  private Sieve sieved(@Nullable Sieve given, RowTable into) {
    Sieve sieve = given;
    if (sieve == null) {
      sieve = Sieve.spanning(rows, count, width);
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

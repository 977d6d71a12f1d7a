package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.pareto.EpsilonThinning;
import dev.abacus.optimizer.search.pareto.Metric;
import java.util.Arrays;
import java.util.concurrent.atomic.DoubleAccumulator;

/**
 * Keeps the subplans with the least lower bound (beam search), and records the least bound of a
 * dropped subplan, from which the error of the answer follows.
 *
 * @param metrics of the group's subplans
 * @param cardinality cardinality of the group's subplans if it is not among the metrics
 * @param subplans width of the beam
 * @param dropped the least bound of the subplans that the beams of all groups dropped: no plan with
 *     one has a smaller loss in the target
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BeamLimit(
    Metric[] metrics,
    LagrangianRelaxation.Completion completion,
    double cardinality,
    int subplans,
    DoubleAccumulator dropped)
    implements FrontierLimit {

  @Override
  public int exactComparisons() {
    return 16 * subplans;
  }

  /** No limit, because the bound of every dropped subplan has to be recorded. */
  @Override
  public int implementations(int width) {
    return Integer.MAX_VALUE;
  }

  @Override
  public EpsilonThinning select(LabelledRows table, int width, int[] rows, int limit) {
    double[] bounds = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      bounds[i] = bound(table.values(), rows[i] * width);
    }
    double[] sorted = bounds.clone();
    Arrays.sort(sorted);
    dropped.accumulate(sorted[limit]);
    double threshold = sorted[limit - 1];
    int ties = limit;
    for (double bound : bounds) {
      ties -= bound < threshold ? 1 : 0;
    }
    int[] kept = new int[limit];
    int count = 0;
    for (int i = 0; i < rows.length; i++) {
      if (bounds[i] < threshold || (bounds[i] == threshold && ties-- > 0)) {
        kept[count++] = rows[i];
      }
    }
    return new EpsilonThinning(kept, 0);
  }

  private double bound(double[] values, int start) {
    double quality = 1;
    double cost = 0;
    double latency = 0;
    double leaving = cardinality;
    for (int column = 0; column < metrics.length; column++) {
      double value = values[start + column];
      switch (metrics[column]) {
        case QUALITY -> quality = -value;
        case COST -> cost = value;
        case LATENCY -> latency = value;
        case CARDINALITY -> leaving = value;
      }
    }
    return completion.least(quality, cost, latency, leaving);
  }
}

package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.pareto.EpsilonThinning;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.RowOrder;

/**
 * Room for the subplans that promise most; what the best of the others promised goes on record, so
 * that the answer can say how far from the best it may be.
 */
final class BeamLimit implements ParetoGroupFrontier.Room {

  private final Metric[] metrics;
  private final LagrangianRelaxation.Completion completion;
  private final double cardinality;
  private final int limit;
  private final Certificate certificate;

  /** What was given up. */
  static final class Certificate {
    private double least = Double.POSITIVE_INFINITY;

    /** The least loss in the target that a plan given up may have had; infinite if none was. */
    double least() {
      return least;
    }
  }

  /**
   * Room in one group.
   *
   * @param cardinality of its subplans, where it is not among the metrics
   */
  BeamLimit(
      Metric[] metrics,
      LagrangianRelaxation.Completion completion,
      double cardinality,
      int limit,
      Certificate certificate) {
    this.metrics = metrics;
    this.completion = completion;
    this.cardinality = cardinality;
    this.limit = limit;
    this.certificate = certificate;
  }

  @Override
  public int roughly() {
    return 16 * limit;
  }

  @Override
  public int limit() {
    return limit;
  }

  /** All: what is given up has to go on record plan by plan. */
  @Override
  public int implementations(int width) {
    return Integer.MAX_VALUE;
  }

  @Override
  public EpsilonThinning fit(LabelledRows table, int width, int[] rows, int most) {
    double[] promises = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      promises[i] = promise(table.values(), rows[i] * width);
    }
    int[] order = RowOrder.of(promises);
    certificate.least = Math.min(certificate.least, promises[order[most]]);
    double threshold = promises[order[most - 1]];
    int spare = most;
    for (double promise : promises) {
      spare -= promise < threshold ? 1 : 0;
    }
    int[] kept = new int[most];
    int count = 0;
    for (int i = 0; i < rows.length; i++) {
      // Those at the threshold share what is left by those below it.
      if (promises[i] < threshold || (promises[i] == threshold && spare-- > 0)) {
        kept[count++] = rows[i];
      }
    }
    return new EpsilonThinning(kept, 0);
  }

  private double promise(double[] values, int start) {
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

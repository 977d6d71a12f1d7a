package dev.abacus.optimizer.page.chart;

import dev.abacus.schemas.plan.Range;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * A promised interval beside a measured amount and a bound, in pixels from the left.
 *
 * @param measured null if nothing was measured
 * @param bound null without a bound
 */
public record IntervalBar(
    double low, double high, double mean, @Nullable Double measured, @Nullable Double bound) {

  /** Width of the drawing. */
  public static final int WIDTH = 200;

  private static final int MARGIN = 6;

  /** Places the amounts on an axis that shows all of them. */
  public static IntervalBar of(Range promised, @Nullable Double measured, @Nullable Double bound) {
    double low = promised.lowest();
    double high = promised.highest();
    double[] all =
        DoubleStream.of(
                low,
                high,
                measured == null ? promised.mean() : measured,
                bound == null ? promised.mean() : bound)
            .toArray();
    double least = DoubleStream.of(all).min().orElseThrow();
    double most = DoubleStream.of(all).max().orElseThrow();
    double margin = most > least ? (most - least) * 0.1 : Math.max(most, 1e-9) * 0.1;
    Axis axis = new Axis(least - margin, most + margin, MARGIN, WIDTH - MARGIN, false);
    return new IntervalBar(
        axis.at(low),
        axis.at(high),
        axis.at(promised.mean()),
        measured == null ? null : axis.at(measured),
        bound == null ? null : axis.at(bound));
  }
}

package dev.abacus.optimizer.page.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Maps amounts to pixels.
 *
 * @param low least amount
 * @param high largest amount
 * @param from pixel of {@code low}
 * @param to pixel of {@code high}
 * @param logarithmic whether equal distances are equal ratios
 */
record Axis(double low, double high, double from, double to, boolean logarithmic) {

  /** From this ratio of the largest to the least amount on, an axis of cost is logarithmic. */
  private static final double WIDE = 20;

  private static final int TICKS = 5;

  /** An axis of an amount that is not negative, with a margin around the given amounts. */
  static Axis of(double least, double most, double from, double to) {
    if (least > 0 && most / least > WIDE) {
      return new Axis(least / 1.3, most * 1.3, from, to, true);
    }
    double margin = most > least ? (most - least) * 0.08 : Math.max(most, 1e-9) * 0.2;
    return new Axis(Math.max(0, least - margin), most + margin, from, to, false);
  }

  /** The pixel of an amount; amounts beyond the axis are drawn at its end. */
  double at(double amount) {
    double inside = Math.min(high, Math.max(low, amount));
    double share =
        logarithmic ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
    return Math.round((from + share * (to - from)) * 10) / 10.0;
  }

  /** Round amounts on the axis. */
  List<Double> ticks() {
    return logarithmic ? decades() : steps();
  }

  private List<Double> steps() {
    double rough = (high - low) / TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step =
        power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
    List<Double> ticks = new ArrayList<>();
    for (long i = (long) Math.ceil(low / step); i * step <= high; i++) {
      ticks.add(round(i * step));
    }
    return ticks;
  }

  private List<Double> decades() {
    List<Double> ticks = new ArrayList<>();
    for (int exponent = (int) Math.floor(Math.log10(low)); ; exponent++) {
      for (int digit : high / low > 2000 ? new int[] {1} : new int[] {1, 3}) {
        double tick = round(digit * Math.pow(10, exponent));
        if (tick > high) {
          return ticks;
        }
        if (tick >= low) {
          ticks.add(tick);
        }
      }
    }
  }

  private static double round(double amount) {
    return new BigDecimal(amount).round(new MathContext(6)).doubleValue();
  }
}

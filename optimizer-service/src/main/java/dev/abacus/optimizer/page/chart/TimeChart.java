package dev.abacus.optimizer.page.chart;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * An amount over time, from 0 to its largest value.
 *
 * @param latest the last known amount
 * @param most the largest amount, which is the upper edge
 * @param path of the line, with a gap where the amount is unknown
 * @param promise height of the promised amount; null without one
 * @param known whether there is an amount to draw
 */
public record TimeChart(
    String title,
    String latest,
    String most,
    String path,
    @Nullable Double promise,
    boolean known) {

  public static final int WIDTH = 280;
  public static final int HEIGHT = 64;

  private static final int EDGE = 3;

  /**
   * Places amounts at equal distances.
   *
   * @param amounts the oldest first; null where unknown
   * @param promised null without a promise
   */
  public static TimeChart of(
      String title,
      List<@Nullable Double> amounts,
      @Nullable Double promised,
      DoubleFunction<String> format) {
    List<Double> known = amounts.stream().filter(Objects::nonNull).toList();
    if (known.isEmpty()) {
      return new TimeChart(title, "unknown", "", "", null, false);
    }
    double most = Math.max(Collections.max(known), promised == null ? 0 : promised);
    Axis time = new Axis(0, Math.max(1, amounts.size() - 1.0), EDGE, WIDTH - EDGE, false);
    Axis height = new Axis(0, most > 0 ? most : 1, HEIGHT - EDGE, EDGE, false);
    StringBuilder path = new StringBuilder();
    boolean open = false;
    for (int i = 0; i < amounts.size(); i++) {
      Double amount = amounts.get(i);
      if (amount != null) {
        // A line of no length is a dot.
        String point = time.at(i) + " " + height.at(amount);
        path.append(open ? "L" : "M" + point + "L").append(point);
      }
      open = amount != null;
    }
    return new TimeChart(
        title,
        format.apply(known.getLast()),
        format.apply(most),
        path.toString(),
        promised == null ? null : height.at(promised),
        true);
  }
}

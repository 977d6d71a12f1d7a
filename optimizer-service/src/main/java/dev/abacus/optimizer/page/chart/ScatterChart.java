package dev.abacus.optimizer.page.chart;

import dev.abacus.schemas.plan.Range;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Quality (upward) by cost (to the right) with 95 % intervals, in pixels.
 *
 * @param width of the drawing
 * @param height of the drawing
 * @param left pixel of the quality axis
 * @param bottom pixel of the cost axis
 * @param costTicks of USD per 1,000 documents
 * @param logarithmic whether the cost axis is logarithmic
 */
public record ScatterChart(
    int width,
    int height,
    int left,
    int bottom,
    List<Tick> costTicks,
    List<Tick> qualityTicks,
    boolean logarithmic,
    List<Mark> marks) {

  private static final int WIDTH = 560;
  private static final int HEIGHT = 300;
  private static final int LEFT = 44;
  private static final int RIGHT = 12;
  private static final int TOP = 26;
  private static final int BOTTOM = 40;
  private static final int PER_DOCUMENTS = 1000;

  /** How a mark is drawn; the forms differ, not only the colours. */
  public enum Style {
    CHOSEN,
    BEST,
    PLAIN,
    FADED;

    /** The class in the style sheet. */
    public String css() {
      return "mark-" + name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * What to draw.
   *
   * @param label short text beside the mark
   * @param description full text
   * @param cost USD per document
   */
  public record Item(String label, String description, Style style, Range quality, Range cost) {}

  /** A line of the grid and its text. */
  public record Tick(double at, String text) {}

  /**
   * A mark with its intervals; the ends of an unknown interval are the mark.
   *
   * @param flipped whether the label stands on the left
   */
  public record Mark(
      String label,
      String description,
      Style style,
      double x,
      double y,
      double costLow,
      double costHigh,
      double qualityLow,
      double qualityHigh,
      boolean flipped) {}

  /** Places items; null without items. */
  public static @Nullable ScatterChart of(List<Item> items) {
    if (items.isEmpty()) {
      return null;
    }
    int bottom = HEIGHT - BOTTOM;
    Axis cost =
        Axis.of(
            items.stream().mapToDouble(item -> least(item.cost())).min().orElseThrow(),
            items.stream().mapToDouble(item -> most(item.cost())).max().orElseThrow(),
            LEFT,
            WIDTH - RIGHT);
    double worst = items.stream().mapToDouble(item -> low(item.quality())).min().orElseThrow();
    double best = items.stream().mapToDouble(item -> high(item.quality())).max().orElseThrow();
    double margin = Math.max(0.02, (best - worst) * 0.08);
    Axis quality =
        new Axis(Math.max(0, worst - margin), Math.min(1, best + margin), bottom, TOP, false);
    List<Mark> marks = new ArrayList<>();
    for (Item item : items) {
      double x = cost.at(item.cost().mean());
      marks.add(
          new Mark(
              item.label(),
              item.description(),
              item.style(),
              x,
              quality.at(item.quality().mean()),
              cost.at(low(item.cost())),
              cost.at(high(item.cost())),
              quality.at(low(item.quality())),
              quality.at(high(item.quality())),
              x > WIDTH * 0.75));
    }
    return new ScatterChart(
        WIDTH,
        HEIGHT,
        LEFT,
        bottom,
        cost.ticks().stream()
            .map(tick -> new Tick(cost.at(tick), "$" + plain(tick * PER_DOCUMENTS)))
            .toList(),
        quality.ticks().stream().map(tick -> new Tick(quality.at(tick), plain(tick))).toList(),
        cost.logarithmic(),
        marks);
  }

  private static double low(Range range) {
    return Objects.requireNonNullElse(range.low(), range.mean());
  }

  private static double high(Range range) {
    return Objects.requireNonNullElse(range.high(), range.mean());
  }

  /** The least amount that the axis shows: an interval that reaches 0 does not stretch it. */
  private static double least(Range cost) {
    return Math.max(low(cost), cost.mean() / 3);
  }

  private static double most(Range cost) {
    return Math.min(high(cost), cost.mean() * 3);
  }

  private static String plain(double amount) {
    return BigDecimal.valueOf(amount)
        .round(new java.math.MathContext(3))
        .stripTrailingZeros()
        .toPlainString();
  }
}

package dev.abacus.optimizer.page.chart;

import dev.abacus.schemas.plan.Range;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
   * @param labelX middle of the label, beside the mark where it covers no other
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
      double labelX,
      double labelY) {}

  /** Where a label may stand from its mark, the best place first. */
  private static final int[][] PLACES = {
    {16, -6},
    {-16, -6},
    {16, 16},
    {-16, 16},
    {0, -14},
    {0, 23},
    {26, 4},
    {-26, 4},
    {22, -20},
    {-22, -20}
  };

  /** Half of the width and of the height that a mark or a label takes. */
  private static final double REACH = 7.5;

  /** The middle of a label. */
  private record Place(double x, double y) {

    boolean covers(Place other) {
      return Math.abs(x - other.x) < 2 * REACH && Math.abs(y - other.y) < 2 * REACH - 2;
    }
  }

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
    double worst = items.stream().mapToDouble(item -> item.quality().lowest()).min().orElseThrow();
    double best = items.stream().mapToDouble(item -> item.quality().highest()).max().orElseThrow();
    double margin = Math.max(0.02, (best - worst) * 0.08);
    Axis quality =
        new Axis(Math.max(0, worst - margin), Math.min(1, best + margin), bottom, TOP, false);
    List<Mark> marks = new ArrayList<>();
    List<Place> taken = new ArrayList<>();
    for (Item item : items) {
      taken.add(new Place(cost.at(item.cost().mean()), quality.at(item.quality().mean())));
    }
    for (Item item : items) {
      double x = cost.at(item.cost().mean());
      double y = quality.at(item.quality().mean());
      Place label = free(x, y, taken);
      taken.add(label);
      marks.add(
          new Mark(
              item.label(),
              item.description(),
              item.style(),
              x,
              y,
              cost.at(item.cost().lowest()),
              cost.at(item.cost().highest()),
              quality.at(item.quality().lowest()),
              quality.at(item.quality().highest()),
              label.x(),
              // The y of a text is that of its base line.
              label.y() + 4));
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

  /** The first place of a label that covers nothing; the best one if there is none. */
  private static Place free(double x, double y, List<Place> taken) {
    return Stream.of(PLACES)
        .map(place -> new Place(x + place[0], y + place[1] - 4))
        .filter(place -> place.x() < WIDTH - RIGHT && place.y() > REACH)
        .filter(place -> taken.stream().noneMatch(place::covers))
        .findFirst()
        .orElse(new Place(x + PLACES[0][0], y + PLACES[0][1] - 4));
  }

  /** The least amount that the axis shows: an interval that reaches 0 does not stretch it. */
  private static double least(Range cost) {
    return Math.max(cost.lowest(), cost.mean() / 3);
  }

  private static double most(Range cost) {
    return Math.min(cost.highest(), cost.mean() * 3);
  }

  private static String plain(double amount) {
    return BigDecimal.valueOf(amount)
        .round(new java.math.MathContext(3))
        .stripTrailingZeros()
        .toPlainString();
  }
}

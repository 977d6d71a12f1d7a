package dev.abacus.deploy.evaluation.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line chart in SVG.
 *
 * @param file file name without extension
 * @param xLabels labels of the x axis, evenly spaced
 * @param series one line each
 */
record Chart(
    String file,
    String title,
    String xTitle,
    String yTitle,
    List<String> xLabels,
    List<Series> series) {

  private static final int WIDTH = 640;
  private static final int HEIGHT = 360;
  private static final int LEFT = 64;
  private static final int TOP = 40;
  private static final int PLOT_WIDTH = 340;
  private static final int PLOT_HEIGHT = 260;
  private static final int TICKS = 5;

  /** Colour-blind safe palette (Okabe and Ito). */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00");

  Chart {
    xLabels = List.copyOf(xLabels);
    series = List.copyOf(series);
  }

  /**
   * One line.
   *
   * @param values mean and deviation for each label of the x axis
   */
  record Series(String name, List<MeanAndDeviation> values) {
    Series {
      values = List.copyOf(values);
    }
  }

  /** Returns the chart as SVG; error bars show one standard deviation. */
  String svg() {
    double top = scaleTop();
    List<String> parts = new ArrayList<>();
    parts.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">"
            .formatted(WIDTH, HEIGHT));
    parts.add("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
    parts.add(text(LEFT, 20, "start", title));
    for (int tick = 0; tick <= TICKS; tick++) {
      double value = top * tick / TICKS;
      double y = y(value, top);
      parts.add(line(LEFT, y, LEFT + PLOT_WIDTH, y, "#dddddd"));
      parts.add(text(LEFT - 6, y + 4, "end", String.format(Locale.ROOT, "%.3g", value)));
    }
    for (int i = 0; i < xLabels.size(); i++) {
      parts.add(text(x(i), TOP + PLOT_HEIGHT + 18, "middle", xLabels.get(i)));
    }
    parts.add(text(LEFT + PLOT_WIDTH / 2.0, HEIGHT - 16, "middle", xTitle));
    parts.add(
        "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>"
            .formatted(TOP + PLOT_HEIGHT / 2, escaped(yTitle)));
    for (int s = 0; s < series.size(); s++) {
      draw(parts, s, top);
    }
    parts.add("</svg>");
    return String.join("\n", parts) + "\n";
  }

  private void draw(List<String> parts, int s, double top) {
    String colour = COLOURS.get(s % COLOURS.size());
    Series one = series.get(s);
    List<String> points = new ArrayList<>();
    for (int i = 0; i < one.values().size(); i++) {
      MeanAndDeviation value = one.values().get(i);
      // Shift each series so that error bars do not overlap.
      double x = x(i) + (s - series.size() / 2.0) * 3;
      points.add(String.format(Locale.ROOT, "%.1f,%.1f", x, y(value.mean(), top)));
      parts.add(
          line(
              x,
              y(Math.max(0, value.mean() - value.deviation()), top),
              x,
              y(Math.min(top, value.mean() + value.deviation()), top),
              colour));
    }
    String dash = s >= COLOURS.size() ? " stroke-dasharray=\"4 3\"" : "";
    parts.add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>"
            .formatted(String.join(" ", points), colour, dash));
    double y = TOP + 14 + s * 18;
    double x = LEFT + PLOT_WIDTH + 20;
    parts.add(line(x, y - 4, x + 18, y - 4, colour));
    parts.add(text(x + 24, y, "start", one.name()));
  }

  private double scaleTop() {
    double most =
        series.stream()
            .flatMap(one -> one.values().stream())
            .mapToDouble(value -> value.mean() + value.deviation())
            .max()
            .orElse(1);
    if (!(most > 0)) {
      return 1;
    }
    double step = Math.pow(10, Math.floor(Math.log10(most)));
    return Math.ceil(most / step * 2) / 2 * step;
  }

  private double x(int place) {
    return LEFT + PLOT_WIDTH * (place + 0.5) / Math.max(1, xLabels.size());
  }

  private static double y(double value, double top) {
    return TOP + PLOT_HEIGHT * (1 - value / top);
  }

  private static String line(double x1, double y1, double x2, double y2, String colour) {
    return String.format(
        Locale.ROOT,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
        x1,
        y1,
        x2,
        y2,
        colour);
  }

  private static String text(double x, double y, String anchor, String text) {
    return String.format(
        Locale.ROOT,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
        x,
        y,
        anchor,
        escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

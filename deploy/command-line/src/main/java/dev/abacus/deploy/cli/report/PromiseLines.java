package dev.abacus.deploy.cli.report;

import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.PromiseReport.JudgedOperator;
import dev.abacus.schemas.control.PromiseReport.Measured;
import dev.abacus.schemas.control.PromiseReport.Promised;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the active plan promises, and what is measured on live documents, line by line. */
public final class PromiseLines {

  private static final String QUALITY = "%.3f";
  private static final String COST = "$%.6f";
  private static final String LATENCY = "%.2f s";

  private PromiseLines() {}

  /** How it stands, two lines, and one for the judged operators if there are any. */
  public static List<String> of(PromiseReport report) {
    Promised promised = report.promised();
    Measured measured = report.measured();
    List<String> lines = new ArrayList<>();
    Standing standing = report.standing();
    if (standing != null && !standing.bounds().isEmpty()) {
      lines.add(standing.sentence());
    }
    lines.add(
        "%s: %s"
            .formatted(
                promised.examples() == null
                    ? "estimated, not promised"
                    : "promised by %d examples".formatted(promised.examples()),
                values(promised.quality(), promised.cost(), promised.latency())));
    lines.add(
        measured.documents() == 0
            ? "measured: no document of this plan is counted yet"
            : "measured on %,d documents: %s"
                .formatted(
                    measured.documents(),
                    values(measured.quality(), measured.cost(), measured.latency())));
    for (JudgedOperator operator : measured.operators()) {
      lines.add(
          "  judged: %s %s on %,d outputs"
              .formatted(
                  operator.operator(), text(QUALITY, operator.quality()), operator.judged()));
    }
    return lines;
  }

  private static String values(
      @Nullable Range quality, @Nullable Range cost, @Nullable Range latency) {
    return "quality %s, cost %s, latency %s"
        .formatted(
            quality == null ? "not judged" : text(QUALITY, quality),
            text(COST, cost),
            text(LATENCY, latency));
  }

  /** Mean and interval, such as {@code 0.812 (0.790 to 0.834)}; "?" if there is none. */
  public static String text(String format, @Nullable Range range) {
    if (range == null) {
      return "?";
    }
    String mean = String.format(Locale.ROOT, format, range.mean());
    return range.low() == null || range.high() == null
        ? mean
        : mean
            + String.format(
                Locale.ROOT, " (" + format + " to " + format + ")", range.low(), range.high());
  }
}

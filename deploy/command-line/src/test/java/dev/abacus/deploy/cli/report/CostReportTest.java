package dev.abacus.deploy.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.control.BillRecord.Line;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CostReportTest {

  private static final Instant NOW = Instant.parse("2026-11-15T12:30:00Z");

  private static CostReport report(List<Line> lines, Duration ago, Duration since) {
    Instant at = NOW.minus(ago);
    BillRecord bill =
        new BillRecord(
            "p", "w", Math.floorDiv(at.toEpochMilli(), 3_600_000), lines, 40, 20, 500_000_000, 0);
    return new CostReport("p", List.of(bill), NOW.minus(since), NOW);
  }

  private static Line line(String operator, long nanoUsd, long tierSaved) {
    return new Line(operator, "gpt-4o", "live", 1, TokenCounts.NONE, nanoUsd, 0, tierSaved);
  }

  /** All answers came from the store. */
  @Test
  void documentsWithoutACallAreReported() {
    assertThat(report(List.of(), Duration.ZERO, Duration.ofDays(1)).lines())
        .contains("no call was made in this time", "40 documents, 20 results, $0.0000 per result")
        .anyMatch(text -> text.contains("answer store $0.5000"));
  }

  @Test
  void anHourWithoutCallsHidesNotWhatTheMonthCost() {
    List<Line> lines = List.of(line("a", 3_000_000_000L, 0));
    assertThat(report(lines, Duration.ofDays(2), Duration.ofHours(1)).lines())
        .contains("no call was made in this time")
        .anyMatch(text -> text.startsWith("this month: $3.0000;"));
  }

  @Test
  void valuesOfTheFileAreQuotedWhereTheyHaveTo() {
    CostReport report =
        report(
            List.of(line("a, \"b\"", 200, 0), line("c", 100, 0)),
            Duration.ZERO,
            Duration.ofDays(1));
    assertThat(report.csv().get(1)).startsWith("\"a, \"\"b\"\"\",gpt-4o,standard,live,1,");
    assertThat(report.csv().get(2)).startsWith("c,gpt-4o,");
  }

  @Test
  void amountsHaveTheirSignInFrontAndAreNotZeroUnlessTheyAre() {
    List<Line> dearer = List.of(line("a", 100, -500_000_000));
    assertThat(report(dearer, Duration.ZERO, Duration.ofDays(1)).lines())
        .anyMatch(text -> text.contains("service tiers -$0.5000"))
        .anyMatch(text -> text.contains("live <$0.000001"));
    assertThat(Amounts.usd(0.0012)).isEqualTo("$0.001200");
    assertThat(Amounts.usd(0)).isEqualTo("$0.0000");
  }
}

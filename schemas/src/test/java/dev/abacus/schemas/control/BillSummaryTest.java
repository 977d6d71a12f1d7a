package dev.abacus.schemas.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.BillRecord.Line;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BillSummaryTest {

  private static final Instant APPLIED = Instant.parse("2026-11-29T12:00:00Z");
  private static final Instant NEXT_MONTH = Instant.parse("2026-12-01T00:00:00Z");

  private static Line line(String purpose, double usd) {
    return new Line(
        "classify", "gpt-4o", purpose, 1, TokenCounts.NONE, Math.round(usd * 1e9), 0, 0);
  }

  /** A search in the first hour, and documents for 1 USD in each hour. */
  private static List<BillRecord> bills(int hours) {
    List<BillRecord> bills = new ArrayList<>();
    for (int i = 0; i < hours; i++) {
      List<Line> lines = new ArrayList<>(List.of(line("live", 0.9), line("audit", 0.1)));
      if (i == 0) {
        lines.addAll(List.of(line("samples", 20), line("judge", 5), line("replay", 2)));
      }
      long hour = BillSummary.hour(APPLIED) + i;
      bills.add(new BillRecord("p", "w", hour, lines, 100, 50, 0, 0));
    }
    return bills;
  }

  /** What the search cost in an afternoon is no rate for the month. */
  @Test
  void theForecastIsWhatTheMonthCostsIfDocumentsGoOn() {
    double paid = new BillSummary(bills(36), APPLIED, NEXT_MONTH.minusSeconds(1)).ofMonth();
    assertThat(paid).isEqualTo(36 + 27);

    for (int hours : new int[] {1, 2, 12}) {
      Instant now = APPLIED.plus(Duration.ofHours(hours));
      BillSummary bill = new BillSummary(bills(hours), now.minus(Duration.ofDays(30)), now);
      assertThat(bill.forecast()).as("after %d hours", hours).isCloseTo(paid, within(1e-6));
      assertThat(bill.perHour()).isCloseTo(1, within(1e-6));
      assertThat(bill.perResult()).isEqualTo(0.02);
    }
  }
}

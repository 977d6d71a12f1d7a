package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.control.BillSummary;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What a program spent in the last 30 days, as {@code abacus cost} shows it.
 *
 * @param sums names and amounts of what the lines add up to
 */
public record CostView(ProgramHead head, List<Sum> sums, List<Line> lines) {

  private static final Duration DAYS = Duration.ofDays(30);

  /** A figure. */
  public record Sum(String name, String amount) {}

  /** Calls of one operator, model, tier and purpose. */
  public record Line(
      String operator,
      String model,
      String tier,
      String purpose,
      String calls,
      String input,
      String cached,
      String output,
      String usd) {}

  /** Computes the page. */
  public static CostView of(ProgramRecords records, Instant now) {
    BillSummary bill =
        new BillSummary(records.bills(), now.minus(DAYS).truncatedTo(ChronoUnit.HOURS), now);
    List<Sum> sums = new ArrayList<>();
    sums.add(usd("in 30 days", bill.usd()));
    bill.purposes().forEach((purpose, usd) -> sums.add(usd("of it " + purpose, usd)));
    sums.add(new Sum("documents", Figures.count(bill.documents())));
    sums.add(new Sum("results", Figures.count(bill.results())));
    Double each = bill.perResult();
    sums.add(new Sum("per result", each == null ? Figures.UNKNOWN : Figures.usd(each)));
    BillSummary.Saved saved = bill.saved();
    sums.add(usd("saved by prompt caches", saved.promptCaches()));
    sums.add(usd("saved by service tiers", saved.serviceTiers()));
    sums.add(usd("saved by the answer store", saved.answerStore()));
    sums.add(usd("saved by receipts", saved.receipts()));
    sums.add(usd("this month so far", bill.ofMonth()));
    sums.add(usd("this month at the present rate", bill.forecast()));
    return new CostView(
        ProgramHead.of(records, now), sums, bill.lines().stream().map(CostView::line).toList());
  }

  private static Sum usd(String name, double usd) {
    return new Sum(name, Figures.usd(usd));
  }

  private static Line line(BillRecord.Line line) {
    return new Line(
        line.operator().isEmpty() ? Figures.UNKNOWN : line.operator(),
        ServiceTier.standard(line.model()),
        ServiceTier.textOf(line.model()),
        line.purpose(),
        Figures.count(line.calls()),
        Figures.count(line.tokens().input()),
        Figures.count(line.tokens().cachedInput()),
        Figures.count(line.tokens().output()),
        Figures.usd(line.usd()));
  }
}

package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
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
 * @param lines calls of one operator, model, tier and purpose
 */
public record CostView(List<Sum> sums, List<BillRecord.Line> lines) {

  private static final Duration DAYS = Duration.ofDays(30);

  /** A figure. */
  public record Sum(String name, String amount) {}

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
    return new CostView(sums, bill.lines());
  }

  private static Sum usd(String name, double usd) {
    return new Sum(name, Figures.usd(usd));
  }
}

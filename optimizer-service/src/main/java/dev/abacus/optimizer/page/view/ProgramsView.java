package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** All programs, a line each, and their totals. */
public record ProgramsView(List<OverviewView.Tile> totals, List<Line> lines) {

  /**
   * One program.
   *
   * @param quality promised by the active plan
   * @param cost promised by the active plan, USD per document
   */
  public record Line(
      ProgramHead head, String rate, String waiting, String quality, String cost, String epoch) {}

  /** Computes the list. */
  public static ProgramsView of(Cluster cluster) {
    return new ProgramsView(
        totals(cluster.programs().values()),
        cluster.programs().values().stream()
            .map(records -> line(records, ProgramHead.of(records, cluster.at())))
            .toList());
  }

  private static List<OverviewView.Tile> totals(Collection<ProgramRecords> programs) {
    double rate = 0;
    double perHour = 0;
    long waiting = 0;
    double spent = 0;
    long failed = 0;
    for (ProgramRecords records : programs) {
      rate += Objects.requireNonNullElse(records.rates().documents(), 0.0);
      perHour += Objects.requireNonNullElse(records.rates().usd(), 0.0);
      waiting += Objects.requireNonNullElse(OverviewView.lag(records), 0L);
      for (InstanceStatus instance : records.instances()) {
        spent += instance.costUsd() + instance.sampleCostUsd();
        failed += instance.deadLetters();
      }
    }
    return List.of(
        new OverviewView.Tile("Finished", Figures.perSecond(rate), "documents of all programs"),
        new OverviewView.Tile("Waiting", Figures.count(waiting), "documents in topics"),
        new OverviewView.Tile(
            "Spent", Figures.usd(spent), Figures.usd(perHour) + " per hour now; with samples"),
        new OverviewView.Tile("Dead letters", Figures.count(failed), "since the workers started"));
  }

  private static Line line(ProgramRecords records, ProgramHead head) {
    PhysicalPlan plan = records.activePlan();
    return new Line(
        head,
        Figures.perSecond(records.rates().documents()),
        Figures.known(OverviewView.lag(records)),
        plan == null ? Figures.UNKNOWN : Figures.planned(plan, plan.choice(), Dimension.QUALITY),
        plan == null ? Figures.UNKNOWN : Figures.planned(plan, plan.choice(), Dimension.COST),
        plan == null ? Figures.UNKNOWN : Long.toString(plan.epoch()));
  }
}

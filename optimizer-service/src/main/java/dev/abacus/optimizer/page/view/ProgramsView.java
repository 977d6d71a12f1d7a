package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.List;
import java.util.Objects;

/** All programs, a line each. */
public record ProgramsView(List<Line> lines) {

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
        cluster.programs().values().stream()
            .map(records -> line(records, ProgramHead.of(records, cluster.at())))
            .toList());
  }

  private static Line line(ProgramRecords records, ProgramHead head) {
    PhysicalPlan plan = records.activePlan();
    return new Line(
        head,
        Figures.perSecond(records.rates().documents()),
        records.instances().stream()
            .map(InstanceStatus::lag)
            .filter(Objects::nonNull)
            .max(Long::compare)
            .map(Figures::count)
            .orElse(Figures.UNKNOWN),
        plan == null ? Figures.UNKNOWN : Figures.planned(plan, plan.choice(), Dimension.QUALITY),
        plan == null ? Figures.UNKNOWN : Figures.planned(plan, plan.choice(), Dimension.COST),
        plan == null ? Figures.UNKNOWN : Long.toString(plan.epoch()));
  }
}

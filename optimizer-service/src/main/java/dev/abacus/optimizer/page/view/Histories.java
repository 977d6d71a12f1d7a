package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.chart.TimeChart;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.Cluster.Step;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The last two hours as small charts of one width.
 *
 * @param since when they begin; empty without reports
 */
public record Histories(List<TimeChart> charts, String since) {

  private static final double STEPS_PER_HOUR = 120;

  static Histories of(ProgramRecords records) {
    List<Step> steps = records.history();
    PhysicalPlan plan = records.activePlan();
    return new Histories(
        List.of(
            TimeChart.of(
                "Documents per minute",
                amounts(steps, step -> 2.0 * step.documents()),
                null,
                Figures::perMinute),
            TimeChart.of(
                "Cost per document",
                amounts(
                    steps,
                    step ->
                        step.documents() == 0 ? null : (Double) (step.usd() / step.documents())),
                plan == null ? null : (Double) plan.promised(Dimension.COST),
                usd -> Figures.amount(Dimension.COST, usd)),
            TimeChart.of(
                "Quality, as judged",
                amounts(
                    steps,
                    step ->
                        step.plan() == null || step.plan().measured().quality() == null
                            ? null
                            : (Double) step.plan().measured().quality().mean()),
                plan == null ? null : (Double) plan.promised(Dimension.QUALITY),
                quality -> Figures.amount(Dimension.QUALITY, quality)),
            TimeChart.of(
                "Spent per hour, with samples",
                amounts(steps, step -> (step.usd() + step.sampleUsd()) * STEPS_PER_HOUR),
                null,
                Figures::usd)),
        steps.isEmpty() ? "" : Figures.time(steps.getFirst().at()));
  }

  private static List<@Nullable Double> amounts(
      List<Step> steps, Function<Step, @Nullable Double> amount) {
    List<@Nullable Double> amounts = new ArrayList<>();
    steps.forEach(step -> amounts.add(amount.apply(step)));
    return amounts;
  }
}

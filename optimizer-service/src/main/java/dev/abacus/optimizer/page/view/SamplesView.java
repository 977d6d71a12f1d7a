package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.chart.ScatterChart;
import dev.abacus.optimizer.page.records.Cluster.ArmSamples;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sampling race: the implementations of each operator as they stand. */
public record SamplesView(List<Race> races) {

  /** Marks and rows of an operator; the others are only counted. */
  private static final int MOST_ARMS = 40;

  /** Labels beside the marks; more would overlap. */
  private static final int MOST_LABELS = 12;

  /**
   * The race of one operator.
   *
   * @param chart null without a scored sample
   * @param samples number of samples and implementations, in words
   */
  public record Race(
      String operator, String kind, String samples, @Nullable ScatterChart chart, List<Arm> arms) {}

  /**
   * An implementation.
   *
   * @param label number in the chart; empty if it has none
   * @param state {@code chosen}; {@code idle} if the search has sampled others for long; else empty
   */
  public record Arm(String label, ArmSamples samples, String state) {}

  /** Computes the page. */
  public static SamplesView of(ProgramRecords records) {
    return new SamplesView(
        records.program().semanticOperators().stream()
            .map(operator -> race(records, operator))
            .toList());
  }

  private static Race race(ProgramRecords records, LogicalOperator operator) {
    List<ArmSamples> arms = records.samples().getOrDefault(operator.id(), List.of());
    PlanStep step = records.activeStep(operator.id());
    String chosen = step == null ? "" : step.physical().id();
    List<ArmSamples> ranked =
        arms.stream()
            .sorted(
                Comparator.comparing((ArmSamples arm) -> !arm.physical().equals(chosen))
                    .thenComparing(arm -> isIdle(arm, arms))
                    .thenComparingDouble(arm -> arm.quality().count() == 0 ? 1 : -mean(arm)))
            .limit(MOST_ARMS)
            .toList();
    List<ScatterChart.Item> items = new ArrayList<>();
    List<Arm> rows = new ArrayList<>();
    for (ArmSamples arm : ranked) {
      boolean scored = arm.quality().count() > 0;
      boolean isChosen = arm.physical().equals(chosen);
      boolean idle = !isChosen && isIdle(arm, arms);
      String label = scored && items.size() < MOST_LABELS ? Integer.toString(items.size() + 1) : "";
      if (scored) {
        items.add(
            new ScatterChart.Item(
                label,
                arm.physical() + ", " + arm.count() + " samples",
                isChosen
                    ? ScatterChart.Style.CHOSEN
                    : idle ? ScatterChart.Style.FADED : ScatterChart.Style.PLAIN,
                arm.quality().range(0, 1),
                arm.cost().range(0, Double.MAX_VALUE)));
      }
      rows.add(new Arm(label, arm, isChosen ? "chosen" : idle ? "idle" : ""));
    }
    // Drawn in reverse, so that the chosen mark is in front.
    return new Race(
        operator.id(),
        operator.kind(),
        "%s samples of %s implementations%s"
            .formatted(
                Figures.count(arms.stream().mapToLong(ArmSamples::count).sum()),
                Figures.count(arms.size()),
                arms.size() > MOST_ARMS ? "; the best " + MOST_ARMS + " are shown" : ""),
        ScatterChart.of(items.reversed()),
        rows);
  }

  /**
   * Whether the search has sampled others for long: twice as many samples as there are
   * implementations came later.
   */
  private static boolean isIdle(ArmSamples arm, List<ArmSamples> all) {
    int later = all.stream().mapToInt(ArmSamples::count).sum() - arm.last();
    return later > 2 * Math.max(4, all.size());
  }

  private static double mean(ArmSamples arm) {
    return arm.quality().sum() / arm.quality().count();
  }
}

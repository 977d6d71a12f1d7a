package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.chart.ScatterChart;
import dev.abacus.optimizer.page.records.Cluster.Change;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.Alternative;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanDifference;
import dev.abacus.schemas.plan.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plans of a program: the frontier, what other bounds would choose, and the history.
 *
 * @param plan the active one; null before the first plan
 * @param frontier null before the first plan
 * @param choices of the frontier: the active plan, those that look better, the others by cost
 * @param more plans of the frontier that are not shown
 * @param whatIf null before the first plan
 * @param rollback epoch that a rollback returns to; null if there is none
 * @param history the latest first
 */
public record PlansView(
    @Nullable PhysicalPlan plan,
    @Nullable ScatterChart frontier,
    List<Choice> choices,
    int more,
    @Nullable WhatIf whatIf,
    @Nullable Long rollback,
    List<Entry> history) {

  private static final int MOST_CHOICES = 12;
  private static final int MOST_BETTER = 5;

  /**
   * A plan of the frontier.
   *
   * @param standing towards the objective of the active plan
   * @param reason that it was not chosen although it looks better; else empty
   */
  public record Choice(
      String label, boolean chosen, Standing standing, String reason, PlanChoice plan) {}

  /**
   * A published plan with its last activation.
   *
   * @param when time of the last activation; empty if the topic has none
   * @param reason of the activation, with its author
   * @param changes against the plan of the epoch before, a line each
   */
  public record Entry(
      PhysicalPlan plan, boolean active, String when, String reason, List<String> changes) {}

  /**
   * Computes the page.
   *
   * @param sliders positions of moved sliders by dimension
   */
  public static PlansView of(ProgramRecords records, Map<String, Integer> sliders, Instant now) {
    PhysicalPlan plan = records.activePlan();
    WhatIf whatIf = plan == null ? null : WhatIf.of(plan, records.program().objective(), sliders);
    List<Alternative> better = plan == null ? List.of() : Alternative.of(plan);
    List<PlanChoice> shown = plan == null ? List.of() : shown(plan, better, best(whatIf));
    List<Choice> choices = plan == null ? List.of() : choices(plan, shown, better);
    return new PlansView(
        plan,
        plan == null ? null : chart(plan, choices, whatIf),
        choices,
        plan == null ? 0 : Math.max(0, plan.frontier().size() - shown.size()),
        whatIf,
        records.before(),
        history(records, now));
  }

  /**
   * At most twelve plans: the active one, the answer of the sliders, those that look better, and
   * others spread over the costs.
   */
  private static List<PlanChoice> shown(
      PhysicalPlan plan, List<Alternative> better, @Nullable PlanChoice answer) {
    Map<String, PlanChoice> shown = new LinkedHashMap<>();
    shown.put(plan.choice().signature(), plan.choice());
    better.stream()
        .limit(MOST_BETTER)
        .forEach(one -> shown.put(one.plan().signature(), one.plan()));
    if (answer != null) {
      shown.putIfAbsent(answer.signature(), answer);
    }
    List<PlanChoice> others =
        plan.frontier().stream()
            .filter(choice -> !shown.containsKey(choice.signature()))
            .sorted(Comparator.comparingDouble(choice -> choice.estimate().cost()))
            .toList();
    int room = Math.min(others.size(), MOST_CHOICES - shown.size());
    for (int i = 0; i < room; i++) {
      PlanChoice other = others.get(room == 1 ? 0 : i * (others.size() - 1) / (room - 1));
      shown.put(other.signature(), other);
    }
    return List.copyOf(shown.values());
  }

  private static @Nullable PlanChoice best(@Nullable WhatIf whatIf) {
    return whatIf == null ? null : whatIf.best();
  }

  private static @Nullable ScatterChart chart(
      PhysicalPlan plan, List<Choice> choices, @Nullable WhatIf whatIf) {
    return ScatterChart.of(
        choices.stream()
            .map(choice ->
                new ScatterChart.Item(
                    choice.label(),
                    steps(choice.plan()),
                    choice.chosen()
                        ? ScatterChart.Style.CHOSEN
                        : choice.plan().equals(best(whatIf))
                            ? ScatterChart.Style.BEST
                            : ScatterChart.Style.PLAIN,
                    plan.range(choice.plan(), Dimension.QUALITY),
                    plan.range(choice.plan(), Dimension.COST)))
            .toList());
  }

  private static List<Choice> choices(
      PhysicalPlan plan, List<PlanChoice> shown, List<Alternative> better) {
    List<Choice> choices = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      PlanChoice choice = shown.get(i);
      choices.add(
          new Choice(
              Integer.toString(i + 1),
              plan.isChosen(choice),
              plan.standing(choice),
              better.stream()
                  .filter(one -> one.plan().equals(choice))
                  .map(Alternative::reason)
                  .findFirst()
                  .orElse(""),
              choice));
    }
    return choices;
  }

  /** The implementations of semantic operators, in the order of the plan. */
  public static String steps(PlanChoice choice) {
    return String.join(" → ", choice.semanticSteps());
  }

  private static List<Entry> history(ProgramRecords records, Instant now) {
    List<Entry> history = new ArrayList<>();
    for (PhysicalPlan plan : records.plans().descendingMap().values()) {
      ControlRecord.Activated active = records.active();
      Change last =
          records.changes().stream()
              .filter(change ->
                  change.record() instanceof ControlRecord.Activated activated
                      && activated.epoch() == plan.epoch())
              .findFirst()
              .orElse(null);
      var earlier = records.plans().lowerEntry(plan.epoch());
      history.add(
          new Entry(
              plan,
              active != null && active.epoch() == plan.epoch(),
              last == null ? "" : Figures.time(last.at()) + ", " + Figures.ago(last.at(), now),
              last != null && last.record() instanceof ControlRecord.Activated activated
                  ? activated.by() + ": " + activated.reason()
                  : "the control topic has no activation of it",
              earlier == null
                  ? List.of()
                  : PlanDifference.between(earlier.getValue(), plan).changes()));
    }
    return history;
  }
}

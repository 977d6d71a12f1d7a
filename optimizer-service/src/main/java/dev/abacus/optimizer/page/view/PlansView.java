package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.chart.ScatterChart;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.Cluster.TimedActivation;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The plans of a program: the frontier, what other bounds would choose, and the history.
 *
 * @param frontier null before the first plan
 * @param choices of the frontier, in order of their cost
 * @param whatIf null before the first plan
 * @param rollback epoch that a rollback returns to; null if there is none
 * @param history the latest first
 */
public record PlansView(
    ProgramHead head,
    @Nullable ScatterChart frontier,
    List<Choice> choices,
    @Nullable WhatIf whatIf,
    @Nullable Long rollback,
    List<Entry> history) {

  private static final int MOST_CHOICES = 12;

  /** A plan of the frontier. */
  public record Choice(
      String label, boolean chosen, String quality, String cost, String latency, String steps) {}

  /**
   * A published plan with its last activation.
   *
   * @param when time of the last activation; empty if the topic has none
   * @param reason of the activation, with its author
   * @param changes against the plan of the epoch before, a line each
   */
  public record Entry(
      long epoch,
      boolean active,
      String when,
      String reason,
      String objective,
      boolean feasible,
      String quality,
      String cost,
      String latency,
      List<String> changes) {}

  /**
   * Computes the page.
   *
   * @param sliders positions of moved sliders by dimension
   */
  public static PlansView of(ProgramRecords records, Map<String, Integer> sliders, Instant now) {
    PhysicalPlan plan = records.activePlan();
    WhatIf whatIf = plan == null ? null : WhatIf.of(plan, records.program().objective(), sliders);
    List<PlanChoice> shown = plan == null ? List.of() : shown(plan, whatIf);
    return new PlansView(
        ProgramHead.of(records, now),
        plan == null ? null : chart(plan, shown, whatIf),
        plan == null ? List.of() : choices(plan, shown),
        whatIf,
        records.before(),
        history(records, now));
  }

  /** The plans of the frontier by cost: at most twelve, the chosen ones always. */
  private static List<PlanChoice> shown(PhysicalPlan plan, @Nullable WhatIf whatIf) {
    Map<String, PlanChoice> all = new LinkedHashMap<>();
    plan.frontier().stream()
        .sorted(Comparator.comparingDouble(choice -> choice.estimate().cost()))
        .forEach(choice -> all.put(choice.signature(), choice));
    all.putIfAbsent(plan.choice().signature(), plan.choice());
    List<PlanChoice> sorted =
        all.values().stream()
            .sorted(Comparator.comparingDouble(choice -> choice.estimate().cost()))
            .toList();
    if (sorted.size() <= MOST_CHOICES) {
      return sorted;
    }
    List<PlanChoice> shown = new ArrayList<>();
    // Two places stay for the active plan and the answer of the sliders.
    int spread = MOST_CHOICES - 2;
    for (int i = 0; i < sorted.size(); i++) {
      PlanChoice choice = sorted.get(i);
      boolean spreadHere = i * (spread - 1) % (sorted.size() - 1) < spread - 1;
      if (spreadHere || isChosen(choice, plan) || choice.equals(best(whatIf))) {
        shown.add(choice);
      }
    }
    return shown;
  }

  private static @Nullable PlanChoice best(@Nullable WhatIf whatIf) {
    return whatIf == null ? null : whatIf.best();
  }

  private static boolean isChosen(PlanChoice choice, PhysicalPlan plan) {
    return choice.signature().equals(plan.choice().signature());
  }

  private static @Nullable ScatterChart chart(
      PhysicalPlan plan, List<PlanChoice> shown, @Nullable WhatIf whatIf) {
    List<ScatterChart.Item> items = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      PlanChoice choice = shown.get(i);
      boolean chosen = isChosen(choice, plan);
      items.add(
          new ScatterChart.Item(
              Integer.toString(i + 1),
              steps(choice),
              chosen
                  ? ScatterChart.Style.CHOSEN
                  : choice.equals(best(whatIf))
                      ? ScatterChart.Style.BEST
                      : ScatterChart.Style.PLAIN,
              range(plan, choice, chosen, Dimension.QUALITY),
              range(plan, choice, chosen, Dimension.COST)));
    }
    return ScatterChart.of(items);
  }

  /**
   * The interval of the promise for the active plan; for another one that of its steps, whose
   * relative (quality) or absolute (cost) errors are taken as independent.
   */
  private static Range range(
      PhysicalPlan plan, PlanChoice choice, boolean chosen, Dimension dimension) {
    if (chosen && plan.promise() != null) {
      return plan.promise().get(dimension);
    }
    double mean = choice.estimate().get(dimension);
    double squares = 0;
    double inputs = 1;
    for (PlanStep step : choice.steps()) {
      StepEstimate basis = plan.basis(step);
      if (basis == null) {
        if (step.logical().isSemantic()) {
          return Range.of(mean);
        }
        continue;
      }
      Range range = dimension == Dimension.QUALITY ? basis.quality() : basis.cost();
      Double low = range.low();
      Double high = range.high();
      if (low == null || high == null) {
        return Range.of(mean);
      }
      double half = (high - low) / 2;
      double weight = dimension == Dimension.QUALITY ? mean / Math.max(1e-3, range.mean()) : inputs;
      squares += half * weight * half * weight;
      inputs *= basis.selectivity();
    }
    double half = Math.sqrt(squares);
    double most = dimension == Dimension.QUALITY ? 1 : Double.MAX_VALUE;
    return Range.within(mean, mean - half, mean + half, 0, most);
  }

  private static List<Choice> choices(PhysicalPlan plan, List<PlanChoice> shown) {
    List<Choice> choices = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      PlanChoice choice = shown.get(i);
      choices.add(
          new Choice(
              Integer.toString(i + 1),
              isChosen(choice, plan),
              Figures.planned(plan, choice, Dimension.QUALITY),
              Figures.planned(plan, choice, Dimension.COST),
              Figures.planned(plan, choice, Dimension.LATENCY),
              steps(choice)));
    }
    return choices;
  }

  /** The implementations of semantic operators, in the order of the plan. */
  private static String steps(PlanChoice choice) {
    List<String> steps = new ArrayList<>();
    for (PlanStep step : choice.steps()) {
      if (step.logical().isSemantic()) {
        steps.add(step.logical().id() + "=" + step.physical().id());
      }
    }
    return String.join(" → ", steps);
  }

  private static List<Entry> history(ProgramRecords records, Instant now) {
    List<Entry> history = new ArrayList<>();
    for (PhysicalPlan plan : records.plans().descendingMap().values()) {
      ControlRecord.Activated active = records.active();
      TimedActivation last =
          records.activations().stream()
              .filter(each -> each.activated().epoch() == plan.epoch())
              .findFirst()
              .orElse(null);
      var earlier = records.plans().lowerEntry(plan.epoch());
      history.add(
          new Entry(
              plan.epoch(),
              active != null && active.epoch() == plan.epoch(),
              last == null ? "" : Figures.time(last.at()) + ", " + Figures.ago(last.at(), now),
              last == null
                  ? "not active, as far as the topic has it"
                  : last.activated().by() + ": " + last.activated().reason(),
              plan.objective().toString(),
              plan.feasible(),
              Figures.planned(plan, plan.choice(), Dimension.QUALITY),
              Figures.planned(plan, plan.choice(), Dimension.COST),
              Figures.planned(plan, plan.choice(), Dimension.LATENCY),
              earlier == null ? List.of() : changes(earlier.getValue(), plan)));
    }
    return history;
  }

  private static List<String> changes(PhysicalPlan from, PhysicalPlan to) {
    Map<String, String> before = implementations(from);
    Map<String, String> after = implementations(to);
    List<String> changes = new ArrayList<>();
    if (!from.objective().equals(to.objective())) {
      changes.add("objective: " + from.objective() + " → " + to.objective());
    }
    after.forEach((operator, implementation) -> {
      String other = before.get(operator);
      if (!implementation.equals(other)) {
        changes.add(
            operator + ": " + Objects.requireNonNullElse(other, "absent") + " → " + implementation);
      }
    });
    before.keySet().stream()
        .filter(operator -> !after.containsKey(operator))
        .forEach(operator -> changes.add(operator + ": " + before.get(operator) + " → absent"));
    List<String> oldOrder = List.copyOf(before.keySet());
    List<String> newOrder = List.copyOf(after.keySet());
    if (!oldOrder.equals(newOrder)) {
      changes.add("order: " + String.join(", ", oldOrder) + " → " + String.join(", ", newOrder));
    }
    if (changes.isEmpty()) {
      changes.add("the same steps and objective, with new estimates");
    }
    return changes;
  }

  private static Map<String, String> implementations(PhysicalPlan plan) {
    Map<String, String> implementations = new LinkedHashMap<>();
    plan.steps().forEach(step -> implementations.put(step.logical().id(), step.physical().id()));
    return implementations;
  }
}

package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.monitor.LogContext;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.Locale;
import java.util.stream.Collectors;

/** Describes the decisions that the optimizer writes to the control topic, for logs. */
final class DecisionText {

  private DecisionText() {}

  static String of(ControlRecord record) {
    return switch (record) {
      case ControlRecord.PlanPublished(PhysicalPlan plan) -> plan(plan);
      case ControlRecord.Activated active ->
          "Activates the plan of epoch %d of '%s' for %s of the new documents: %s"
              .formatted(
                  active.epoch(),
                  active.program(),
                  active.share() < 1
                      ? String.format(Locale.ROOT, "%.1f %%", active.share() * 100)
                      : "all",
                  LogContext.shortened(active.reason()));
      case ControlRecord.Paused paused ->
          "%s '%s': %s"
              .formatted(
                  paused.paused() ? "Pauses" : "Resumes",
                  paused.program(),
                  LogContext.shortened(paused.reason()));
      case ControlRecord.ProgramSet set -> "Sets the program '%s'".formatted(set.program().name());
      case ControlRecord.ObjectiveSet set ->
          "Sets the objective of '%s': %s".formatted(set.program(), set.objective());
      case ControlRecord.BudgetSet set -> "Sets the budget of '%s'".formatted(set.program());
      case ControlRecord.Pinned pinned ->
          "Pins %s of '%s' to %s"
              .formatted(pinned.operator(), pinned.program(), pinned.physical().id());
      case ControlRecord.Reoptimize again ->
          "Starts a new search for '%s': %s".formatted(again.program(), again.token());
    };
  }

  private static String plan(PhysicalPlan plan) {
    Estimate estimate = plan.estimate();
    return String.format(
        Locale.ROOT,
        "Publishes the plan of epoch %d of '%s': quality %.2f, %.6f USD and %.1f s per document; %s",
        plan.epoch(),
        plan.program(),
        estimate.quality(),
        estimate.cost(),
        estimate.latency(),
        plan.steps().stream()
            .filter(step -> step.logical().isSemantic())
            .map(step -> step.logical().id() + ": " + plan.choice().implementation(step))
            .collect(Collectors.joining(", ")));
  }
}

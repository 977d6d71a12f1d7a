package dev.abacus.schemas.plan;

import dev.abacus.schemas.objective.Dimension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two plans of a program.
 *
 * @param from epoch of the first plan
 * @param to epoch of the second plan
 * @param objectives the two objectives if they differ, else empty
 * @param implementations operators whose implementation differs
 * @param orders both operator orders if they differ, else empty
 * @param estimates estimates by dimension
 * @param standings of both plans, each towards its own objective
 */
public record PlanDifference(
    long from,
    long to,
    List<String> objectives,
    List<Implementation> implementations,
    List<List<String>> orders,
    Map<String, Change> estimates,
    List<String> standings) {

  /** The implementations of an operator; null if a plan does not contain it. */
  public record Implementation(String operator, @Nullable String from, @Nullable String to) {}

  /** The estimates of a dimension per document, and the ratio of the second to the first. */
  public record Change(double from, double to, @Nullable Double ratio) {}

  public static PlanDifference between(PhysicalPlan from, PhysicalPlan to) {
    Map<String, String> before = implementations(from);
    Map<String, String> after = implementations(to);
    List<Implementation> changed = new ArrayList<>();
    before.forEach((operator, implementation) -> {
      String other = after.get(operator);
      if (!implementation.equals(other)) {
        changed.add(new Implementation(operator, implementation, other));
      }
    });
    after.forEach((operator, implementation) -> {
      if (!before.containsKey(operator)) {
        changed.add(new Implementation(operator, null, implementation));
      }
    });
    List<String> orderBefore = List.copyOf(before.keySet());
    List<String> orderAfter = List.copyOf(after.keySet());
    return new PlanDifference(
        from.epoch(),
        to.epoch(),
        from.objective().equals(to.objective())
            ? List.of()
            : List.of(from.objective().toString(), to.objective().toString()),
        changed,
        orderBefore.equals(orderAfter) ? List.of() : List.of(orderBefore, orderAfter),
        estimates(from, to),
        List.of(from.standing().word(), to.standing().word()));
  }

  private static Map<String, String> implementations(PhysicalPlan plan) {
    Map<String, String> implementations = new LinkedHashMap<>();
    for (PlanStep step : plan.steps()) {
      implementations.put(step.logical().id(), step.physical().id());
    }
    return implementations;
  }

  private static Map<String, Change> estimates(PhysicalPlan from, PhysicalPlan to) {
    Map<String, Change> changes = new LinkedHashMap<>();
    for (Dimension dimension : Dimension.values()) {
      double before = from.estimate().get(dimension);
      double after = to.estimate().get(dimension);
      changes.put(
          dimension.label(), new Change(before, after, before == 0 ? null : after / before));
    }
    return changes;
  }

  /** What changes of objective, implementations and order, a line each. */
  public List<String> changes() {
    List<String> changes = new ArrayList<>();
    if (!objectives.isEmpty()) {
      changes.add("objective: %s -> %s".formatted(objectives.getFirst(), objectives.getLast()));
    }
    for (Implementation one : implementations) {
      changes.add(
          "%s: %s -> %s"
              .formatted(
                  one.operator(),
                  Objects.requireNonNullElse(one.from(), "absent"),
                  Objects.requireNonNullElse(one.to(), "absent")));
    }
    if (!orders.isEmpty()) {
      changes.add(
          "order: %s -> %s"
              .formatted(
                  String.join(", ", orders.getFirst()), String.join(", ", orders.getLast())));
    }
    return changes.isEmpty() ? List.of("the same steps and the same objective") : changes;
  }

  /** Formats the difference as text. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("epoch %d -> %d".formatted(from, to));
    changes().forEach(change -> lines.add("  " + change));
    estimates.forEach((dimension, change) -> lines.add(text(dimension, change)));
    lines.add("  bounds: %s -> %s".formatted(standings.getFirst(), standings.getLast()));
    return lines;
  }

  private static String text(String dimension, Change change) {
    String line =
        String.format(Locale.ROOT, "  %s: %.6g -> %.6g", dimension, change.from(), change.to());
    return change.ratio() == null || change.ratio() == 1
        ? line
        : line + String.format(Locale.ROOT, " (%+.1f %%)", 100 * (change.ratio() - 1));
  }
}

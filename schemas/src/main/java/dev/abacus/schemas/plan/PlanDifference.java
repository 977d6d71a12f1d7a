package dev.abacus.schemas.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.program.io.ProgramWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two plans of a program.
 *
 * @param from epoch of the first plan
 * @param to epoch of the second plan
 * @param objectives the two objectives if they differ, else empty
 * @param definitions what the program says otherwise of operators of both plans: their prompts
 * @param implementations operators whose implementation differs
 * @param orders both operator orders if they differ, else empty
 * @param estimates estimates by dimension
 * @param standings of both plans, each towards its own objective
 */
public record PlanDifference(
    long from,
    long to,
    List<String> objectives,
    List<Definition> definitions,
    List<Implementation> implementations,
    List<List<String>> orders,
    Map<String, Change> estimates,
    List<String> standings) {

  /** A key of an operator, such as {@code instruction}, and its values; missing where not set. */
  public record Definition(String operator, String key, JsonNode from, JsonNode to) {}

  /** The implementations of an operator; null if a plan does not contain it. */
  public record Implementation(String operator, @Nullable String from, @Nullable String to) {}

  /** The estimates of a dimension per document, and the ratio of the second to the first. */
  public record Change(double from, double to, @Nullable Double ratio) {}

  public static PlanDifference between(PhysicalPlan from, PhysicalPlan to) {
    Map<String, String> before = byOperator(from, from.choice()::implementation);
    Map<String, String> after = byOperator(to, to.choice()::implementation);
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
        definitions(from, to),
        changed,
        orderBefore.equals(orderAfter) ? List.of() : List.of(orderBefore, orderAfter),
        estimates(from, to),
        List.of(from.standing().word(), to.standing().word()));
  }

  private static List<Definition> definitions(PhysicalPlan from, PhysicalPlan to) {
    Map<String, ObjectNode> before = byOperator(from, PlanDifference::definition);
    List<Definition> changed = new ArrayList<>();
    byOperator(to, PlanDifference::definition)
        .forEach((operator, now) -> {
          ObjectNode then = before.getOrDefault(operator, now);
          Set<String> keys = new LinkedHashSet<>();
          then.fieldNames().forEachRemaining(keys::add);
          now.fieldNames().forEachRemaining(keys::add);
          keys.remove("input"); // It follows from the order.
          keys.stream()
              .filter(key -> !then.path(key).equals(now.path(key)))
              .forEach(
                  key -> changed.add(new Definition(operator, key, then.path(key), now.path(key))));
        });
    return changed;
  }

  private static ObjectNode definition(PlanStep step) {
    return ProgramWriter.write(step.logical());
  }

  /** Something of each step, by operator, in the order of the plan. */
  private static <T> Map<String, T> byOperator(PhysicalPlan plan, Function<PlanStep, T> value) {
    Map<String, T> found = new LinkedHashMap<>();
    plan.steps().forEach(step -> found.put(step.logical().id(), value.apply(step)));
    return found;
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

  /** What changes of objective, definitions, implementations and order, a line each. */
  public List<String> changes() {
    List<String> changes = new ArrayList<>();
    if (!objectives.isEmpty()) {
      changes.add("objective: %s -> %s".formatted(objectives.getFirst(), objectives.getLast()));
    }
    for (Definition one : definitions) {
      changes.add(
          "%s, %s: %s -> %s"
              .formatted(one.operator(), one.key(), shown(one.from()), shown(one.to())));
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

  private static String shown(JsonNode value) {
    return value.isMissingNode() ? "absent" : value.toString();
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

package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes a plan and the reason for its choice. */
public final class PlanReport {

  private static final int MOST_ROWS = 12;

  private PlanReport() {}

  /** {@code epoch 3 is active for 10 % of new documents, epoch 2 for the others}. */
  public static String activation(ControlRecord.Activated active) {
    String share =
        String.format(
            Locale.ROOT,
            "epoch %d is active for %s %% of new documents",
            active.epoch(),
            BigDecimal.valueOf(active.share() * 100)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString());
    return active.share() < 1 && active.beside() != null
        ? share + ", epoch " + active.beside() + " for the others"
        : share;
  }

  /** The share of new documents that an epoch gets, 0 to 1. */
  public static double share(long epoch, ControlRecord.@Nullable Activated active) {
    if (active == null) {
      return 0;
    }
    if (active.epoch() == epoch) {
      return active.share();
    }
    Long others = active.beside();
    return others != null && others == epoch ? 1 - active.share() : 0;
  }

  /** The shares of both epochs, if the plan takes part in a canary; otherwise empty. */
  public static List<String> canary(PhysicalPlan plan, ControlRecord.@Nullable Activated active) {
    return active != null && active.share() < 1 && share(plan.epoch(), active) > 0
        ? List.of("canary: " + activation(active))
        : List.of();
  }

  /** Steps, estimate, bounds and frontier of the plan. */
  public static List<String> lines(PhysicalPlan plan) {
    List<String> lines = new ArrayList<>();
    lines.add("plan %s, epoch %d: %s".formatted(plan.program(), plan.epoch(), plan.objective()));
    int step = 1;
    for (PlanStep planned : plan.steps()) {
      lines.add(
          "  %d. %s %s: %s"
              .formatted(
                  step++,
                  planned.logical().kind(),
                  planned.logical().id(),
                  planned.physical().id()));
    }
    lines.add("  expected per document: " + expected(plan.estimate()));
    lines.addAll(bounds(plan.objective(), plan.estimate()));
    lines.addAll(promise(plan));
    lines.addAll(excluded(plan));
    lines.addAll(PlanConfidence.lines(plan));
    if (!plan.frontier().isEmpty()) {
      lines.add("");
      lines.addAll(frontier(plan));
    }
    return lines;
  }

  /** The plan's JSON with the intervals of its estimate under {@code confidence}. */
  public static ObjectNode json(PhysicalPlan plan) {
    ObjectNode json = (ObjectNode) Json.tree(plan);
    ObjectNode confidence = PlanConfidence.json(plan);
    if (!confidence.isEmpty()) {
      json.set("confidence", confidence);
    }
    return json;
  }

  /** {@code quality 0.900, cost $0.00100, latency 1.20 s}. */
  static String expected(Estimate estimate) {
    return "quality %s, cost $%s, latency %s s"
        .formatted(quality(estimate), cost(estimate), latency(estimate));
  }

  /** Each bound with whether it holds, or by how much the estimate misses it. */
  static List<String> bounds(Objective objective, Estimate estimate) {
    return objective.bounds().stream().map(bound -> bound(bound, estimate)).toList();
  }

  /** What was measured on examples that the search did not use. */
  static List<String> promise(PhysicalPlan plan) {
    PlanPromise promise = plan.promise();
    if (promise == null) {
      return List.of("  estimated, not promised: the plan was not measured on held-back examples");
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        promise.folds() == null
            ? "  measured on %d examples that the search did not use%s"
                .formatted(promise.examples(), runs(promise.runs()))
            : "  cross-fitted on %d examples in %d folds"
                .formatted(promise.examples(), promise.folds()));
    for (String operator : promise.unknownOutputs()) {
      lines.add(
          "  the number of outputs of '%s' is not known: cost has no interval, and a bound on it is not promised"
              .formatted(operator));
    }
    promise
        .bounds()
        .forEach((dimension, probability) ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "  the bound on %s holds with a probability of %.0f %%; required are %.0f %%",
                    dimension,
                    100 * probability,
                    100 * promise.level())));
    if (promise.together() != null) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  all bounds hold together with a probability of %.0f %%",
              100 * promise.together()));
    }
    String advice = promise.advice();
    if (advice != null) {
      lines.add("  " + advice);
    }
    return lines;
  }

  private static String runs(@Nullable Range quality) {
    return quality == null || quality.low() == null || quality.high() == null
        ? ""
        : String.format(
            Locale.ROOT,
            ", quality of these alone %.3f (%.3f to %.3f)",
            quality.mean(),
            quality.low(),
            quality.high());
  }

  private static String bound(Bound bound, Estimate estimate) {
    double value = estimate.get(bound.dimension());
    double missed = bound.violation(value);
    return missed == 0
        ? "  %s: holds".formatted(bound)
        : "  %s: missed by %s; no plan that was found meets every bound"
            .formatted(bound, String.format(Locale.ROOT, "%.3g", missed));
  }

  /**
   * At most {@link #MOST_ROWS} plans of the frontier, evenly spaced, the best for the target first;
   * the chosen plan is one of them and marked.
   */
  public static List<String> frontier(PhysicalPlan plan) {
    Objective objective = plan.objective();
    Comparator<PlanChoice> best =
        (a, b) -> {
          double left = a.estimate().get(objective.target());
          double right = b.estimate().get(objective.target());
          return objective.target().better(left, right)
              ? -1
              : objective.target().better(right, left) ? 1 : 0;
        };
    List<PlanChoice> sorted =
        plan.frontier().stream().sorted(best.thenComparing(PlanChoice::signature)).toList();
    Table table = new Table("", "quality", "cost USD", "latency s", "bounds", "plan");
    shown(sorted, plan.choice().signature())
        .forEach(choice ->
            table.row(
                choice.signature().equals(plan.choice().signature()) ? "*" : "",
                quality(choice.estimate()),
                cost(choice.estimate()),
                latency(choice.estimate()),
                missed(objective, choice.estimate()),
                semantic(choice)));
    List<String> lines = new ArrayList<>(table.lines());
    if (sorted.size() > MOST_ROWS) {
      lines.add("%d plans in all; -o json has them".formatted(sorted.size()));
    }
    return lines;
  }

  private static List<PlanChoice> shown(List<PlanChoice> sorted, String chosen) {
    int last = sorted.size() - 1;
    if (last < MOST_ROWS) {
      return sorted;
    }
    SortedSet<Integer> rows = new TreeSet<>();
    for (int i = 0; i < MOST_ROWS - 1; i++) {
      rows.add(i * last / (MOST_ROWS - 2));
    }
    for (int i = 0; i <= last; i++) {
      if (sorted.get(i).signature().equals(chosen)) {
        rows.add(i);
      }
    }
    return rows.stream().map(sorted::get).toList();
  }

  /** For each bound, the number of plans that it alone excludes, and the best of them. */
  private static List<String> excluded(PhysicalPlan plan) {
    Objective objective = plan.objective();
    List<String> lines = new ArrayList<>();
    for (Bound bound : objective.bounds()) {
      List<PlanChoice> alone =
          plan.frontier().stream()
              .filter(choice -> missed(objective, choice.estimate()).equals(misses(bound)))
              .toList();
      alone.stream()
          .map(PlanChoice::estimate)
          .reduce((one, other) ->
              objective.target().better(other.get(objective.target()), one.get(objective.target()))
                  ? other
                  : one)
          .ifPresent(best ->
              lines.add(
                  "  %s alone excludes %d of %d plans; the best of them: %s"
                      .formatted(bound, alone.size(), plan.frontier().size(), expected(best))));
    }
    return lines;
  }

  private static String misses(Bound bound) {
    return "misses " + bound.dimension().label();
  }

  private static String missed(Objective objective, Estimate estimate) {
    String missed =
        objective.bounds().stream()
            .filter(bound -> !bound.holds(estimate.get(bound.dimension())))
            .map(bound -> bound.dimension().label())
            .collect(Collectors.joining(", "));
    return missed.isEmpty() ? "met" : "misses " + missed;
  }

  /** {@code operator=implementation} of the semantic operators, in execution order. */
  public static String semantic(PlanChoice choice) {
    return choice.steps().stream()
        .filter(step -> step.logical().isSemantic())
        .map(step -> step.logical().id() + "=" + step.physical().id())
        .collect(Collectors.joining(" -> "));
  }

  public static String quality(Estimate estimate) {
    return String.format(Locale.ROOT, "%.3f", estimate.quality());
  }

  public static String cost(Estimate estimate) {
    return String.format(Locale.ROOT, "%.6f", estimate.cost());
  }

  public static String latency(Estimate estimate) {
    return String.format(Locale.ROOT, "%.2f", estimate.latency());
  }
}

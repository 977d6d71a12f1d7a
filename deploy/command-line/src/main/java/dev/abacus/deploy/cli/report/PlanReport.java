package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.Alternative;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.program.LogicalOperator;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Describes a plan and the reason for its choice. */
public final class PlanReport {

  private static final int MOST_ROWS = 11;
  private static final int MOST_ALTERNATIVES = 3;

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
  private static double share(long epoch, ControlRecord.@Nullable Activated active) {
    if (active == null) {
      return 0;
    }
    if (active.epoch() == epoch) {
      return active.share();
    }
    Long others = active.beside();
    return others != null && others == epoch ? 1 - active.share() : 0;
  }

  /** As {@link #lines(PhysicalPlan)}, and the shares of both epochs if it is one of a canary. */
  public static List<String> lines(PhysicalPlan plan, ControlRecord.@Nullable Activated active) {
    List<String> lines = lines(plan);
    if (active != null && active.share() < 1 && share(plan.epoch(), active) > 0) {
      lines.add("canary: " + activation(active));
    }
    return lines;
  }

  /** Steps, estimate, standing and frontier of the plan. */
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
                  plan.choice().implementation(planned)));
    }
    lines.add("  expected per document: " + expected(plan.estimate()));
    lines.addAll(promise(plan));
    plan.orders().forEach(order -> lines.add("  " + order.describe()));
    lines.addAll(alternatives(plan));
    lines.addAll(PlanConfidence.lines(plan));
    if (!plan.frontier().isEmpty()) {
      lines.add("");
      lines.addAll(frontier(plan));
    }
    return lines;
  }

  /**
   * The plan's JSON with the intervals of its estimate under {@code confidence}, and its share of
   * new documents.
   */
  public static ObjectNode json(PhysicalPlan plan, ControlRecord.@Nullable Activated active) {
    ObjectNode json = (ObjectNode) Json.tree(plan);
    ObjectNode confidence = PlanConfidence.json(plan);
    if (!confidence.isEmpty()) {
      json.set("confidence", confidence);
    }
    return json.put("share", share(plan.epoch(), active));
  }

  /** {@code quality 0.900, cost $0.00100, latency 1.20 s}. */
  public static String expected(Estimate estimate) {
    return "quality %s, cost $%s, latency %s s"
        .formatted(quality(estimate), cost(estimate), latency(estimate));
  }

  /** How the plan stands, and what was measured on examples that the search did not use. */
  static List<String> promise(PhysicalPlan plan) {
    List<String> lines = new ArrayList<>();
    Standing standing = plan.standing();
    if (!standing.bounds().isEmpty()) {
      lines.add("  " + standing.sentence());
    }
    PlanPromise promise = plan.promise();
    lines.add(
        promise == null
            ? "  estimated, not promised: the plan was not measured on held-back examples"
            : promise.folds() == null
                ? "  measured on %d examples that the search did not use%s"
                    .formatted(promise.examples(), runs(promise.runs()))
                : "  cross-fitted on %d examples in %d folds"
                    .formatted(promise.examples(), promise.folds()));
    return lines;
  }

  /** The plans that look better, each with the reason that it was not chosen. */
  private static List<String> alternatives(PhysicalPlan plan) {
    List<Alternative> alternatives = Alternative.of(plan);
    List<String> lines = new ArrayList<>();
    for (Alternative one :
        alternatives.subList(0, Math.min(MOST_ALTERNATIVES, alternatives.size()))) {
      lines.add("  not chosen: %s".formatted(expected(one.plan().estimate())));
      lines.add("    " + one.reason());
    }
    if (alternatives.size() > MOST_ALTERNATIVES) {
      lines.add(
          "  and %d more that look better".formatted(alternatives.size() - MOST_ALTERNATIVES));
    }
    return lines;
  }

  private static String runs(@Nullable Range quality) {
    return quality == null || quality.low() == null || quality.high() == null
        ? ""
        : ", quality of these alone " + PromiseLines.text("%.3f", quality);
  }

  /**
   * The chosen plan, marked, and then at most {@link #MOST_ROWS} plans of the frontier, evenly
   * spaced, the best for the target first.
   */
  public static List<String> frontier(PhysicalPlan plan) {
    Dimension target = plan.objective().target();
    Comparator<PlanChoice> best = Comparator.comparingDouble(one -> one.estimate().get(target));
    List<PlanChoice> others =
        plan.frontier().stream()
            .filter(choice -> !plan.isChosen(choice))
            .sorted(
                (target == Dimension.QUALITY ? best.reversed() : best)
                    .thenComparing(PlanChoice::signature))
            .toList();
    Table table = new Table("", "quality", "cost USD", "latency s", "bounds", "plan");
    row(table, plan, plan.choice());
    spaced(others).forEach(choice -> row(table, plan, choice));
    List<String> lines = new ArrayList<>(table.lines());
    if (others.size() > MOST_ROWS) {
      lines.add("%d plans in all; -o json has them".formatted(plan.frontier().size()));
    }
    return lines;
  }

  private static void row(Table table, PhysicalPlan plan, PlanChoice choice) {
    table.row(
        plan.isChosen(choice) ? "*" : "",
        quality(choice.estimate()),
        cost(choice.estimate()),
        latency(choice.estimate()),
        plan.objective().bounds().isEmpty() ? "" : plan.standing(choice).word(),
        beside(choice, plan.choice()));
  }

  private static List<PlanChoice> spaced(List<PlanChoice> sorted) {
    int last = sorted.size() - 1;
    return last < MOST_ROWS
        ? sorted
        : IntStream.range(0, MOST_ROWS)
            .mapToObj(i -> sorted.get(i * last / (MOST_ROWS - 1)))
            .toList();
  }

  /** {@code operator=implementation} of the semantic operators, in execution order. */
  public static String semantic(PlanChoice choice) {
    return String.join(" -> ", choice.semanticSteps());
  }

  private static List<String> order(PlanChoice choice) {
    return choice.steps().stream()
        .map(PlanStep::logical)
        .filter(LogicalOperator::isSemantic)
        .map(LogicalOperator::id)
        .toList();
  }

  /**
   * A plan in a table in which another one is marked by {@code *}: the operators that are
   * implemented otherwise; all of them if it is the marked one, none is marked or the order
   * differs.
   */
  public static String beside(PlanChoice choice, @Nullable PlanChoice marked) {
    if (marked == null || choice.equals(marked) || !order(choice).equals(order(marked))) {
      return semantic(choice);
    }
    List<String> different = new ArrayList<>(choice.semanticSteps());
    different.removeAll(marked.semanticSteps());
    return different.isEmpty() ? "as *" : "as * but " + String.join(" -> ", different);
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

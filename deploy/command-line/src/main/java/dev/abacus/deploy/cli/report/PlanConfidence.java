package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Confidence of a plan's estimates: samples and 95 % intervals of its implementations, and the
 * resulting intervals of the plan under the assumption of independent errors.
 */
public final class PlanConfidence {

  private PlanConfidence() {}

  /** A table of the sampled steps and a line for the plan; empty if no step was sampled. */
  static List<String> lines(PhysicalPlan plan) {
    Table table = new Table("operator", "samples", "quality", "cost USD", "latency s");
    boolean known = false;
    for (PlanStep step : plan.steps()) {
      StepEstimate basis = plan.basis(step);
      if (basis != null) {
        known = true;
        table.row(
            step.logical().id(),
            basis.samples(),
            text("%.3f", basis.quality()),
            text("%.6f", basis.cost()),
            text("%.2f", basis.latency()));
      }
    }
    if (!known) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add("  how sure (95 %):");
    table.lines().forEach(line -> lines.add("    " + line));
    Map<Dimension, Range> whole = whole(plan);
    if (!whole.isEmpty()) {
      lines.add(
          "    the plan: quality %s, cost $%s, latency %s s"
              .formatted(
                  text("%.3f", whole.get(Dimension.QUALITY)),
                  text("%.6f", whole.get(Dimension.COST)),
                  text("%.2f", whole.get(Dimension.LATENCY))));
    }
    return lines;
  }

  /** The intervals of the plan by dimension; empty if unknown. */
  static ObjectNode json(PhysicalPlan plan) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    whole(plan)
        .forEach((dimension, range) -> {
          ObjectNode node = json.putObject(dimension.label()).put("mean", range.mean());
          if (range.low() != null && range.high() != null) {
            node.put("low", range.low()).put("high", range.high());
          }
        });
    return json;
  }

  /**
   * Intervals of the plan around its estimate: those of its promise if it has one. Else adds the
   * squared half widths of the steps: relative ones for quality (a product), absolute ones for cost
   * (weighted by the inputs of a step) and latency.
   */
  public static Map<Dimension, Range> whole(PhysicalPlan plan) {
    PlanPromise promise = plan.promise();
    if (promise != null) {
      Map<Dimension, Range> measured = new EnumMap<>(Dimension.class);
      for (Dimension dimension : Dimension.values()) {
        measured.put(dimension, promise.get(dimension));
      }
      return measured;
    }
    double quality = 0;
    double cost = 0;
    double latency = 0;
    double inputs = 1;
    for (PlanStep step : plan.steps()) {
      StepEstimate basis = plan.basis(step);
      if (basis == null) {
        if (step.logical().isSemantic()) {
          return Map.of();
        }
        continue;
      }
      quality += square(half(basis.quality()) / Math.max(1e-3, basis.quality().mean()));
      cost += square(inputs * half(basis.cost()));
      latency += square(half(basis.latency()));
      inputs *= basis.selectivity();
    }
    var estimate = plan.estimate();
    Map<Dimension, Range> whole = new EnumMap<>(Dimension.class);
    whole.put(Dimension.QUALITY, around(estimate.quality(), estimate.quality() * root(quality), 1));
    whole.put(Dimension.COST, around(estimate.cost(), root(cost), Double.MAX_VALUE));
    whole.put(Dimension.LATENCY, around(estimate.latency(), root(latency), Double.MAX_VALUE));
    return whole;
  }

  private static Range around(double mean, double half, double most) {
    return Double.isNaN(half)
        ? Range.of(mean)
        : Range.within(mean, mean - half, mean + half, 0, most);
  }

  /** Half the width of the interval; NaN if unknown. */
  private static double half(Range range) {
    return range.low() == null || range.high() == null
        ? Double.NaN
        : (range.high() - range.low()) / 2;
  }

  private static double square(double x) {
    return x * x;
  }

  private static double root(double squares) {
    return Math.sqrt(squares);
  }

  private static String text(String format, @Nullable Range range) {
    if (range == null) {
      return "?";
    }
    String mean = String.format(Locale.ROOT, format, range.mean());
    return range.low() == null || range.high() == null
        ? mean + " (one sample)"
        : mean
            + String.format(
                Locale.ROOT, " (" + format + " to " + format + ")", range.low(), range.high());
  }
}

package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Confidence of a plan's estimates: samples and 95 % intervals of its implementations and of the
 * plan.
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

  /** The intervals of the plan by dimension; empty if no step was sampled. */
  public static Map<Dimension, Range> whole(PhysicalPlan plan) {
    Map<Dimension, Range> whole = new EnumMap<>(Dimension.class);
    if (plan.promise() != null || plan.choice().spread() != null) {
      for (Dimension dimension : Dimension.values()) {
        whole.put(dimension, plan.range(plan.choice(), dimension));
      }
    }
    return whole;
  }

  private static String text(String format, @Nullable Range range) {
    boolean single = range != null && (range.low() == null || range.high() == null);
    return PromiseLines.text(format, range) + (single ? " (one sample)" : "");
  }
}

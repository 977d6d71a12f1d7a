package dev.abacus.optimizer.loop.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Summary;
import dev.abacus.optimizer.search.rule.transformation.Rewrites;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.ModelSelection;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.DerivedIds;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Operators that do the work of two neighbours in one call. How well a call does two things cannot
 * be told from how well it does each, so none gets into a plan before it was tried; and none is
 * tried that would not be worth it at its best.
 */
public final class Fusions {

  /** Samples of a fused operator under one implementation, before it may be in a plan. */
  public static final int TRIALS = 6;

  private Fusions() {}

  /** The fused operators that a program may have. */
  public static List<LogicalOperator> of(Program program) {
    return Rewrites.sites(program).stream()
        .filter(site -> site.rule().width() > 1)
        .flatMap(site -> site.instead().stream())
        .toList();
  }

  /** Part of the budget that is kept to try one fused operator: none if there is too little. */
  public static double shareOfBudget(Program program) {
    if (of(program).isEmpty()) {
      return 0;
    }
    double share =
        switch (program.sampleBudget()) {
          case SampleBudget.Invocations(int samples) -> (double) TRIALS / samples;
          case SampleBudget.Dollars _ -> BudgetMeter.WHOLE_PLANS_SHARE / 2;
        };
    return share <= BudgetMeter.WHOLE_PLANS_SHARE ? share : 0;
  }

  /** Whether the operator is a fused one. */
  public static boolean isFused(LogicalOperator operator) {
    return DerivedIds.origins(operator.id()).size() > 1;
  }

  /**
   * One call of a model that both parts may be carried out by; none if there is no choice for one
   * of them, since it may be pinned.
   */
  static List<PhysicalOperator> arms(
      LogicalOperator fused, Map<String, List<PhysicalOperator>> arms) {
    List<PhysicalOperator> common = new ArrayList<>();
    List<String> origins = DerivedIds.origins(fused.id());
    for (PhysicalOperator arm : arms.getOrDefault(origins.getFirst(), List.of())) {
      if (arm instanceof ModelSelection
          && origins.stream()
              .map(origin -> arms.getOrDefault(origin, List.of()))
              .allMatch(own -> own.size() > 1 && own.contains(arm))) {
        common.add(arm);
      }
    }
    return common;
  }

  /**
   * What fused operators that were not tried would do at their best: as well as their parts one by
   * one, at the cost and in the time of the dearer and the slower.
   *
   * @param known estimates of the program's operators
   */
  public static Map<LogicalOperator, Map<PhysicalOperator, OperatorEstimate>> atBest(
      ProgramView view, Map<String, Map<PhysicalOperator, OperatorEstimate>> known) {
    Map<LogicalOperator, Map<PhysicalOperator, OperatorEstimate>> best = new LinkedHashMap<>();
    for (LogicalOperator fused : of(view.program())) {
      List<String> origins = DerivedIds.origins(fused.id());
      Map<PhysicalOperator, OperatorEstimate> estimates = new LinkedHashMap<>();
      for (PhysicalOperator arm : view.arms(fused)) {
        OperatorEstimate one = known.getOrDefault(origins.getFirst(), Map.of()).get(arm);
        OperatorEstimate other = known.getOrDefault(origins.getLast(), Map.of()).get(arm);
        if (one != null && other != null && !isTried(view, fused, arm)) {
          estimates.put(
              arm,
              new OperatorEstimate(
                  one.quality() * other.quality(),
                  Math.max(one.cost(), other.cost()),
                  Math.max(one.latency(), other.latency()),
                  one.selectivity() * other.selectivity()));
        }
      }
      best.put(fused, estimates);
    }
    return best;
  }

  /**
   * What is believed of fused operators that were tried: their means, as sure as their trials
   * scatter. Their parts say nothing of how well one call does both, nor how surely.
   */
  public static Map<String, Map<Arm, Belief>> beliefs(ProgramView view) {
    Map<String, Map<Arm, Belief>> beliefs = new LinkedHashMap<>();
    for (LogicalOperator fused : of(view.program())) {
      Map<Arm, Belief> known = new TreeMap<>();
      view.answering(fused)
          .forEach((arm, trials) -> {
            OperatorEstimate mean = trials.estimate();
            if (mean != null) {
              known.put(
                  Arm.named(arm.id()),
                  new Belief(
                      mean,
                      trials.samples(),
                      deviation(trials.quality(), 1),
                      deviation(trials.cost(), mean.cost()),
                      deviation(trials.latency(), mean.latency())));
            }
          });
      if (!known.isEmpty()) {
        beliefs.put(fused.id(), known);
      }
    }
    return beliefs;
  }

  private static double deviation(@Nullable Summary trials, double unit) {
    return trials == null || trials.count() < 2 || unit <= 0
        ? 0
        : Sureness.deviation(
                trials.count(), trials.deviation() * trials.deviation() * (trials.count() - 1))
            / unit;
  }

  /** Whether its trials were begun; they are drawn all at once. */
  private static boolean isTried(ProgramView view, LogicalOperator fused, PhysicalOperator arm) {
    return !view.samples(fused).getOrDefault(arm.id(), Map.of()).isEmpty();
  }

  /** The step of a plan that is a fused operator that was not tried; null if there is none. */
  public static @Nullable PlanStep untried(List<PlanStep> steps, ProgramView view) {
    return steps.stream()
        .filter(step -> isFused(step.logical()))
        .filter(step -> !isTried(view, step.logical(), step.physical()))
        .findFirst()
        .orElse(null);
  }

  /** What is known of a fused operator's right output; null if not enough is. */
  public static @Nullable JsonNode label(LogicalOperator fused, ValidationExample example) {
    List<JsonNode> labels = new ArrayList<>();
    for (String origin : DerivedIds.origins(fused.id())) {
      JsonNode label = example.label(origin);
      if (label != null && !label.isNull()) {
        labels.add(label);
      }
    }
    if (fused instanceof SemanticFilter) {
      boolean all = labels.size() == DerivedIds.origins(fused.id()).size();
      boolean dropped = labels.stream().anyMatch(label -> label.equals(BooleanNode.FALSE));
      return dropped ? BooleanNode.FALSE : all ? BooleanNode.TRUE : null;
    }
    ObjectNode fields = JsonNodeFactory.instance.objectNode();
    for (JsonNode label : labels) {
      if (label instanceof ObjectNode some) {
        fields.setAll(some);
      }
    }
    return fields.isEmpty() ? null : fields;
  }
}

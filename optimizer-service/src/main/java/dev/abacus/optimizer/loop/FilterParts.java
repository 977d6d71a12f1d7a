package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.cost.OperatorEstimate;
import dev.abacus.optimizer.rule.transformation.DecomposeFilter;
import dev.abacus.optimizer.rule.transformation.Rewrites;
import dev.abacus.optimizer.sampler.Sample;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.ConditionByCondition;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the parts of a conjunctive filter would do as filters of their own. No part is sampled by
 * itself: a sample that asks condition by condition measures each of them, with the prompts that
 * the parts would have.
 *
 * <p>The share of a condition that holds is that among the documents for which those before it
 * hold, and one success and one failure are added to what was seen, so that a few samples do not
 * make a condition that never or always holds. Quality is known of the whole filter only; each part
 * gets the same share of it, so that the product of the parts is what was measured. A filter that
 * may be pinned, since there is no choice for it, stays whole.
 */
final class FilterParts {

  /** Answers to a condition that are needed to say anything of it. */
  private static final int FEWEST = 3;

  private FilterParts() {}

  /**
   * Estimates of the parts by id.
   *
   * @param known estimates of the program's operators
   */
  static Map<String, Map<PhysicalOperator, OperatorEstimate>> estimates(
      ProgramView view, Map<String, Map<PhysicalOperator, OperatorEstimate>> known) {
    Map<String, Map<PhysicalOperator, OperatorEstimate>> estimates = new LinkedHashMap<>();
    Program program = view.program();
    for (Rewrites.Site site : Rewrites.sites(program)) {
      if (site.rule() instanceof DecomposeFilter
          && site.replaced(program).getFirst() instanceof SemanticFilter filter
          && view.arms(filter).size() > 1) {
        known
            .getOrDefault(filter.id(), Map.of())
            .forEach((arm, whole) -> {
              if (arm instanceof ConditionByCondition) {
                add(view, filter, arm, whole, site.instead(), estimates);
              }
            });
      }
    }
    return estimates;
  }

  private static void add(
      ProgramView view,
      SemanticFilter filter,
      PhysicalOperator arm,
      OperatorEstimate whole,
      List<LogicalOperator> parts,
      Map<String, Map<PhysicalOperator, OperatorEstimate>> estimates) {
    for (int i = 0; i < parts.size(); i++) {
      int asked = 0;
      int held = 0;
      double cost = 0;
      double latency = 0;
      for (Sample sample : view.samples(filter).getOrDefault(arm.id(), Map.of()).values()) {
        if (sample instanceof Sample.Observed(var seen)
            && seen.evidence() instanceof Evidence.Conditions(List<Evidence.Condition> all)
            && i < all.size()) {
          Evidence.Condition condition = all.get(i);
          asked++;
          held += condition.holds() ? 1 : 0;
          cost += condition.cost();
          latency += condition.latency();
        }
      }
      if (asked >= FEWEST) {
        estimates
            .computeIfAbsent(parts.get(i).id(), _ -> new LinkedHashMap<>())
            .put(
                arm,
                new OperatorEstimate(
                    Math.pow(whole.quality(), 1.0 / parts.size()),
                    cost / asked,
                    latency / asked,
                    (held + 1.0) / (asked + 2.0)));
      }
    }
  }
}

package dev.abacus.optimizer.sampling;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which arms are drawn, first into the frontier and then as replacements (paper,
 * section 3.3). Random without priors.
 */
@FunctionalInterface
public interface Reservoir {

  /** The arms of an operator in the order in which to draw them. */
  List<Arm> order(Objective objective, String operator, List<Arm> arms);

  /**
   * Random by seed. The order of two arms does not depend on other arms; those that differ in their
   * service tiers only follow each other.
   */
  static Reservoir seeded(long seed) {
    return (_, operator, arms) ->
        arms.stream()
            .sorted(
                Comparator.comparingLong(
                        (Arm arm) -> SeededHash.of(seed, operator + '\n' + arm.answers()))
                    .thenComparing(Arm::id))
            .toList();
  }

  /**
   * By distance to the Pareto frontier of the priors over the metrics of the objective (paper,
   * section 3.3), ties by the target; then the arms without a prior, at random. Random for an
   * operator without priors.
   */
  static Reservoir believing(Priors priors, long seed) {
    return (objective, operator, arms) -> {
      List<Arm> order = new ArrayList<>();
      Map<String, OperatorEstimate> believed = priors.of(operator);
      if (!believed.isEmpty()) {
        order.addAll(new FrontierDistance(objective, arms, believed).order());
      }
      List<Arm> others = arms.stream().filter(arm -> !believed.containsKey(arm.id())).toList();
      order.addAll(seeded(seed).order(objective, operator, others));
      return List.copyOf(order);
    };
  }

  /**
   * Alternates between the order of the priors and a random order. With misleading priors, the
   * order of the priors alone would spend most of the budget on bad arms.
   */
  static Reservoir hedging(Priors priors, long seed) {
    Reservoir believing = believing(priors, seed);
    Reservoir random = seeded(seed);
    return (objective, operator, arms) -> {
      Iterator<Arm> believed = believing.order(objective, operator, arms).iterator();
      Iterator<Arm> others = random.order(objective, operator, arms).iterator();
      Set<Arm> order = new LinkedHashSet<>();
      while (believed.hasNext()) {
        order.add(believed.next());
        order.add(others.next());
      }
      return List.copyOf(order);
    };
  }
}

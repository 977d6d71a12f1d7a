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
 * The order in which implementations are drawn: those of the first frontier, then replacements.
 * Without prior beliefs it is random.
 */
@FunctionalInterface
public interface Reservoir {

  /** The arms of an operator, those to be tried first in front. */
  List<Arm> order(Objective objective, String operator, List<Arm> arms);

  /** At random, the same for the same seed; arms that come or go do not reorder the others. */
  static Reservoir seeded(long seed) {
    return (_, operator, arms) ->
        arms.stream()
            .sorted(
                Comparator.comparingLong(
                        (Arm arm) -> SeededHash.of(seed, operator + '\n' + arm.id()))
                    .thenComparing(Arm::id))
            .toList();
  }

  /**
   * By distance to the Pareto front of what is believed, over the metrics of the objective (paper,
   * section 3.3), ties by the objective's target; then those of which nothing is believed, at
   * random. Random altogether for an operator of which nothing is believed.
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
   * Every second arm as believed, the others at random. Beliefs may be wrong, and then a bandit
   * that draws in their order alone compares bad arms with each other for most of its budget.
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

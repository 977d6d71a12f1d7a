package dev.abacus.optimizer.sampler;

import java.util.Comparator;
import java.util.List;

/**
 * The order in which implementations are drawn: those of the first frontier, then replacements.
 * Without prior beliefs it is random.
 */
@FunctionalInterface
public interface Reservoir {

  /** The arms of an operator, those to be tried first in front. */
  List<Arm> order(String operator, List<Arm> arms);

  /** At random, the same for the same seed; arms that come or go do not reorder the others. */
  static Reservoir seeded(long seed) {
    return (operator, arms) ->
        arms.stream()
            .sorted(
                Comparator.comparingLong(
                        (Arm arm) -> SeededHash.of(seed, operator + '\n' + arm.id()))
                    .thenComparing(Arm::id))
            .toList();
  }
}

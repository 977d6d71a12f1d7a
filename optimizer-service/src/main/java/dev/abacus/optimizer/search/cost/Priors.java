package dev.abacus.optimizer.search.cost;

import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Prior beliefs about implementations, used before the first sample (paper, section 3.3). Only
 * ratios matter, not absolute values: naive priors are in other units than measurements.
 *
 * @param byOperator by logical operator id, then implementation id
 */
public record Priors(Map<String, Map<String, OperatorEstimate>> byOperator) {

  /** No priors. */
  public static final Priors NONE = new Priors(Map.of());

  public Priors {
    Map<String, Map<String, OperatorEstimate>> copy = new TreeMap<>();
    byOperator.forEach(
        (operator, byId) -> copy.put(operator, Collections.unmodifiableMap(new TreeMap<>(byId))));
    byOperator = Collections.unmodifiableMap(copy);
  }

  /**
   * The priors of those implementations that have one.
   *
   * @param space implementations by operator id
   * @param estimates by operator id, the prior of an implementation; null if there is none
   */
  public static Priors of(
      Map<String, ? extends Collection<PhysicalOperator>> space,
      Function<String, Function<PhysicalOperator, @Nullable OperatorEstimate>> estimates) {
    Map<String, Map<String, OperatorEstimate>> priors = new TreeMap<>();
    space.forEach((operator, implementations) -> {
      Function<PhysicalOperator, @Nullable OperatorEstimate> estimate = estimates.apply(operator);
      Map<String, OperatorEstimate> ofOperator = new TreeMap<>();
      for (PhysicalOperator physical : implementations) {
        OperatorEstimate known = estimate.apply(physical);
        if (known != null) {
          ofOperator.put(physical.id(), known);
        }
      }
      if (!ofOperator.isEmpty()) {
        priors.put(operator, ofOperator);
      }
    });
    return new Priors(priors);
  }

  /** The priors of an operator by implementation id; may be empty. */
  public Map<String, OperatorEstimate> of(String operator) {
    return byOperator.getOrDefault(operator, Map.of());
  }

  /** The prior of an implementation, or null. */
  public @Nullable OperatorEstimate find(String operator, String id) {
    return of(operator).get(id);
  }
}

package dev.abacus.optimizer.search.cost;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
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

  /** The priors of an operator by implementation id; may be empty. */
  public Map<String, OperatorEstimate> of(String operator) {
    return byOperator.getOrDefault(operator, Map.of());
  }

  /** The prior of an implementation, or null. */
  public @Nullable OperatorEstimate find(String operator, String id) {
    return of(operator).get(id);
  }
}

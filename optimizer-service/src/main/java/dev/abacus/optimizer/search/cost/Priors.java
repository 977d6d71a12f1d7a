package dev.abacus.optimizer.search.cost;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is believed of implementations before the first sample. Only how they compare matters, not
 * their absolute values: naive priors are in other units than what is measured.
 *
 * @param byOperator by logical operator id, then id of the implementation
 */
public record Priors(Map<String, Map<String, OperatorEstimate>> byOperator) {

  /** Nothing is believed. */
  public static final Priors NONE = new Priors(Map.of());

  public Priors {
    Map<String, Map<String, OperatorEstimate>> copy = new TreeMap<>();
    byOperator.forEach(
        (operator, byId) -> copy.put(operator, Collections.unmodifiableMap(new TreeMap<>(byId))));
    byOperator = Collections.unmodifiableMap(copy);
  }

  /** What is believed of the implementations of an operator; may be empty. */
  public Map<String, OperatorEstimate> of(String operator) {
    return byOperator.getOrDefault(operator, Map.of());
  }

  /** What is believed of one implementation, or null. */
  public @Nullable OperatorEstimate find(String operator, String id) {
    return of(operator).get(id);
  }

  /** These, with those of {@code others} where these say nothing. */
  public Priors withFallback(Priors others) {
    Map<String, Map<String, OperatorEstimate>> all = new TreeMap<>();
    others.byOperator.forEach((operator, byId) -> all.put(operator, new TreeMap<>(byId)));
    byOperator.forEach(
        (operator, byId) -> all.computeIfAbsent(operator, _ -> new TreeMap<>()).putAll(byId));
    return new Priors(all);
  }
}

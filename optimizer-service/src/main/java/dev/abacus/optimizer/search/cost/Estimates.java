package dev.abacus.optimizer.search.cost;

import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The estimates of all implementations of all operators. Immutable. An implementation with neither
 * observation nor prior has no estimate and is not eligible; there is no default estimate.
 *
 * <p>Operators that need no model always have an estimate: {@link Relational} with {@link
 * OperatorEstimate#RELATIONAL}.
 */
public final class Estimates {

  private static final PhysicalOperator RELATIONAL = new Relational();

  private final SortedMap<String, SortedMap<PhysicalOperator, OperatorEstimate>> byOperator;
  private final Fanouts fanouts;

  private Estimates(
      SortedMap<String, SortedMap<PhysicalOperator, OperatorEstimate>> byOperator,
      Fanouts fanouts) {
    this.byOperator = byOperator;
    this.fanouts = fanouts;
  }

  /** Estimates by logical operator id, then implementation. */
  public static Estimates of(
      Map<String, ? extends Map<PhysicalOperator, OperatorEstimate>> byOperator) {
    Builder builder = builder();
    byOperator.forEach((operator, byPhysical) ->
        byPhysical.forEach((physical, estimate) -> builder.put(operator, physical, estimate)));
    return builder.build();
  }

  /** These estimates with other numbers of groups, passed documents and pairs per document. */
  public Estimates with(Fanouts others) {
    return new Estimates(byOperator, others);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Ids of the operators with at least one estimate. */
  public Set<String> operators() {
    return byOperator.keySet();
  }

  /** The estimates of an operator in order of implementation ids; may be empty. */
  public Map<PhysicalOperator, OperatorEstimate> of(String operator) {
    return byOperator.getOrDefault(operator, Collections.emptySortedMap());
  }

  /**
   * The estimates of an operator per document of its input, including the relational
   * implementation; may be empty. Samples of an aggregate are groups and those of a join of streams
   * are pairs, so their cost and selectivity are multiplied by the operator's {@link Fanouts}.
   */
  public Map<PhysicalOperator, OperatorEstimate> of(LogicalOperator operator) {
    Map<PhysicalOperator, OperatorEstimate> perInput =
        operator.isSemantic() ? of(operator.id()) : Map.of(RELATIONAL, OperatorEstimate.RELATIONAL);
    if (operator.isPerDocument()) {
      return perInput;
    }
    SortedMap<PhysicalOperator, OperatorEstimate> perDocument = new TreeMap<>();
    perInput.forEach(
        (physical, estimate) -> perDocument.put(physical, fanouts.perDocument(operator, estimate)));
    return perDocument;
  }

  /** The estimate of an implementation, or null if there is none. */
  public @Nullable OperatorEstimate find(LogicalOperator operator, PhysicalOperator physical) {
    return of(operator).get(physical);
  }

  /**
   * The estimate of an implementation.
   *
   * @throws IllegalArgumentException if there is none
   */
  public OperatorEstimate get(LogicalOperator operator, PhysicalOperator physical) {
    OperatorEstimate estimate = find(operator, physical);
    if (estimate == null) {
      throw new IllegalArgumentException(
          "nothing is known of " + physical.id() + " as an implementation of " + operator.id());
    }
    return estimate;
  }

  /** The candidates of an operator in order of ids; may be empty. */
  public List<Candidate> candidates(LogicalOperator operator) {
    List<Candidate> candidates = new ArrayList<>();
    of(operator)
        .forEach((physical, estimate) -> candidates.add(new Candidate(physical.id(), estimate)));
    return candidates;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Estimates estimates
        && byOperator.equals(estimates.byOperator)
        && fanouts.equals(estimates.fanouts);
  }

  @Override
  public int hashCode() {
    return byOperator.hashCode();
  }

  @Override
  public String toString() {
    return byOperator.toString();
  }

  /** Collects estimates; a later one replaces an earlier one for the same implementation. */
  public static final class Builder {

    private final SortedMap<String, SortedMap<PhysicalOperator, OperatorEstimate>> byOperator =
        new TreeMap<>();

    private Builder() {}

    public Builder put(String operator, PhysicalOperator physical, OperatorEstimate estimate) {
      byOperator.computeIfAbsent(operator, _ -> new TreeMap<>()).put(physical, estimate);
      return this;
    }

    public Estimates build() {
      SortedMap<String, SortedMap<PhysicalOperator, OperatorEstimate>> copy = new TreeMap<>();
      byOperator.forEach((operator, byPhysical) ->
          copy.put(operator, Collections.unmodifiableSortedMap(new TreeMap<>(byPhysical))));
      return new Estimates(Collections.unmodifiableSortedMap(copy), Fanouts.STATED);
    }
  }
}

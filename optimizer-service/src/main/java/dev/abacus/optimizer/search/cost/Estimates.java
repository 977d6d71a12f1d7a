package dev.abacus.optimizer.search.cost;

import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What is known of every implementation of every operator. Immutable. An implementation of which
 * nothing is known, neither by observation nor by prior belief, is not in it and not eligible:
 * there is no estimate by default.
 *
 * <p>Operators that need no model are always known: {@link PhysicalOperator.Relational} at {@link
 * OperatorEstimate#RELATIONAL}.
 */
public final class Estimates {

  private static final PhysicalOperator RELATIONAL = new PhysicalOperator.Relational();

  private final SortedMap<String, SortedMap<PhysicalOperator, OperatorEstimate>> byOperator;

  private Estimates(SortedMap<String, SortedMap<PhysicalOperator, OperatorEstimate>> byOperator) {
    this.byOperator = byOperator;
  }

  /** Estimates by logical operator id, then implementation. */
  public static Estimates of(
      Map<String, ? extends Map<PhysicalOperator, OperatorEstimate>> byOperator) {
    Builder builder = builder();
    byOperator.forEach((operator, byPhysical) ->
        byPhysical.forEach((physical, estimate) -> builder.put(operator, physical, estimate)));
    return builder.build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Ids of the operators of which at least one implementation is known. */
  public Set<String> operators() {
    return byOperator.keySet();
  }

  /** The known implementations of an operator, in order of their ids; may be empty. */
  public Map<PhysicalOperator, OperatorEstimate> of(String operator) {
    return byOperator.getOrDefault(operator, Collections.emptySortedMap());
  }

  /** The known implementations of an operator, the relational one included; may be empty. */
  public Map<PhysicalOperator, OperatorEstimate> of(LogicalOperator operator) {
    return operator.isSemantic()
        ? of(operator.id())
        : Map.of(RELATIONAL, OperatorEstimate.RELATIONAL);
  }

  /** The estimate of one implementation, or null if nothing is known of it. */
  public @Nullable OperatorEstimate find(LogicalOperator operator, PhysicalOperator physical) {
    return of(operator).get(physical);
  }

  /**
   * The estimate of one implementation.
   *
   * @throws IllegalArgumentException if nothing is known of it
   */
  public OperatorEstimate get(LogicalOperator operator, PhysicalOperator physical) {
    OperatorEstimate estimate = find(operator, physical);
    if (estimate == null) {
      throw new IllegalArgumentException(
          "nothing is known of " + physical.id() + " as an implementation of " + operator.id());
    }
    return estimate;
  }

  /** What a search may choose from for an operator, in order of ids; may be empty. */
  public List<Candidate> candidates(LogicalOperator operator) {
    List<Candidate> candidates = new ArrayList<>();
    of(operator)
        .forEach((physical, estimate) -> candidates.add(new Candidate(physical.id(), estimate)));
    return candidates;
  }

  /** These estimates, with those of {@code priors} where these know nothing. */
  public Estimates withFallback(Estimates priors) {
    Builder builder = builder();
    priors.forEach(builder);
    forEach(builder);
    return builder.build();
  }

  private void forEach(Builder builder) {
    byOperator.forEach((operator, byPhysical) -> {
      BiConsumer<PhysicalOperator, OperatorEstimate> put =
          (physical, estimate) -> builder.put(operator, physical, estimate);
      byPhysical.forEach(put);
    });
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Estimates estimates && byOperator.equals(estimates.byOperator);
  }

  @Override
  public int hashCode() {
    return byOperator.hashCode();
  }

  @Override
  public String toString() {
    return byOperator.toString();
  }

  /** Collects estimates; a later one replaces an earlier one of the same implementation. */
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
      return new Estimates(Collections.unmodifiableSortedMap(copy));
    }
  }
}

package dev.abacus.optimizer.estimate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The error of an estimate as a linear combination of random effects:
 *
 * <pre>
 *   error = sum of loading(effect) · effect
 * </pre>
 *
 * <p>So any two errors have a covariance, the sum over their common effects of the products of
 * their loadings, and the error of a sum or a difference is the sum or difference of errors: what
 * two plans have in common cancels. The estimates of mixed models are linear in the measurements,
 * so their errors have this form exactly (Robinson 1991, "That BLUP is a good thing: the estimation
 * of random effects"); other estimates have it to first order (delta method).
 *
 * <p>The error of an implementation has about as many effects as its operator has samples and
 * properties. So a sum keeps its parts, and effects are looked at only if parts may share some.
 *
 * <p>Immutable and thread-safe.
 */
public final class Loadings {

  /** No error. */
  public static final Loadings NONE = new Loadings(Collections.emptySortedMap(), 0);

  /** Errors that are added up as a whole. */
  private static final class Part {

    private final double variance;
    private final Set<String> scopes;
    private final Supplier<Map<RandomEffect, Double>> source;
    private volatile @Nullable Map<RandomEffect, Double> effects;

    Part(double variance, Set<String> scopes, Supplier<Map<RandomEffect, Double>> source) {
      this.variance = variance;
      this.scopes = scopes;
      this.source = source;
    }

    private Map<RandomEffect, Double> effects() {
      Map<RandomEffect, Double> known = effects;
      if (known == null) {
        known = source.get();
        effects = known;
      }
      return known;
    }

    double covariance(Part other) {
      if (other == this) {
        return variance;
      }
      if (Collections.disjoint(scopes, other.scopes)) {
        return 0;
      }
      boolean fewer = effects().size() <= other.effects().size();
      Map<RandomEffect, Double> many = fewer ? other.effects() : effects();
      double sum = 0;
      for (Map.Entry<RandomEffect, Double> one : (fewer ? effects() : other.effects()).entrySet()) {
        sum += one.getValue() * many.getOrDefault(one.getKey(), 0.0);
      }
      return sum;
    }
  }

  /** Factors by part. */
  private final SequencedMap<Part, Double> parts;

  private final double variance;

  private Loadings(SequencedMap<Part, Double> parts, double variance) {
    this.parts = parts;
    this.variance = variance;
  }

  private static Loadings of(Part part) {
    SequencedMap<Part, Double> parts = new LinkedHashMap<>();
    parts.put(part, 1.0);
    return part.variance == 0 ? NONE : new Loadings(parts, part.variance);
  }

  /** The error with one effect. */
  public static Loadings of(RandomEffect effect, double loading) {
    return of(new Part(loading * loading, Set.of(effect.scope()), () -> Map.of(effect, loading)));
  }

  /**
   * The error with many effects.
   *
   * @param deviation the standard deviation
   * @param scopes of the effects
   * @param effects the loadings, whose squares add up to that of the deviation, in an order that
   *     does not depend on hashes; computed if needed, at most once per thread
   */
  public static Loadings of(
      double deviation, Set<String> scopes, Supplier<Map<RandomEffect, Double>> effects) {
    return of(new Part(deviation * deviation, Set.copyOf(scopes), effects));
  }

  /** An error with this standard deviation that is independent of all others. */
  public static Loadings own(double deviation) {
    if (!(deviation >= 0)) {
      throw new IllegalArgumentException("deviation " + deviation);
    }
    return of(new Part(deviation * deviation, Set.of(), Map::of));
  }

  /** The standard deviation. */
  public double deviation() {
    return Math.sqrt(variance);
  }

  /** The variance. */
  public double variance() {
    return variance;
  }

  /** The covariance with another error. */
  public double covariance(Loadings other) {
    double sum = 0;
    for (Map.Entry<Part, Double> one : parts.entrySet()) {
      for (Map.Entry<Part, Double> two : other.parts.entrySet()) {
        sum += one.getValue() * two.getValue() * one.getKey().covariance(two.getKey());
      }
    }
    return sum;
  }

  /** The loading of an effect; 0 if the error does not depend on it. */
  public double of(RandomEffect effect) {
    double sum = 0;
    for (Map.Entry<Part, Double> part : parts.entrySet()) {
      sum += part.getValue() * part.getKey().effects().getOrDefault(effect, 0.0);
    }
    return sum;
  }

  /** The error of the sum of two estimates. */
  public Loadings plus(Loadings other) {
    if (parts.isEmpty() || other.parts.isEmpty()) {
      return parts.isEmpty() ? other : this;
    }
    SequencedMap<Part, Double> sum = new LinkedHashMap<>(parts);
    other.parts.forEach((part, factor) -> sum.merge(part, factor, Double::sum));
    sum.values().removeIf(factor -> factor == 0);
    return new Loadings(
        sum, sum.isEmpty() ? 0 : Math.max(0, variance + other.variance + 2 * covariance(other)));
  }

  /** The error of the difference of two estimates. */
  public Loadings minus(Loadings other) {
    return plus(other.times(-1));
  }

  /** The error of a multiple of the estimate. */
  public Loadings times(double factor) {
    if (factor == 0) {
      return NONE;
    }
    SequencedMap<Part, Double> scaled = new LinkedHashMap<>(parts);
    scaled.replaceAll((_, one) -> factor * one);
    return new Loadings(scaled, factor * factor * variance);
  }

  @Override
  public String toString() {
    return "± " + deviation();
  }
}

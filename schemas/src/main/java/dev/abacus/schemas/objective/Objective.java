package dev.abacus.schemas.objective;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The objective of a plan: one dimension to optimize and inclusive bounds on the others (paper,
 * section 2.2).
 *
 * <p>Its text form, which {@link ObjectiveParser} reads, is {@code maximize quality subject to cost
 * <= 0.002, latency <= 5s}.
 */
public record Objective(Dimension target, List<Bound> bounds) {

  /** The default objective. */
  public static final Objective MAXIMIZE_QUALITY = new Objective(Dimension.QUALITY, List.of());

  public Objective {
    bounds = List.copyOf(bounds);
    Set<Dimension> seen = EnumSet.noneOf(Dimension.class);
    for (Bound bound : bounds) {
      if (bound.dimension() == target) {
        throw new IllegalArgumentException(
            "the objective bounds its own target, " + target.label() + "; bound another dimension");
      }
      if (!seen.add(bound.dimension())) {
        throw new IllegalArgumentException("two bounds on " + bound.dimension().label());
      }
    }
  }

  /** The bound on a dimension; null if there is none. */
  public @Nullable Bound bound(Dimension dimension) {
    return bounds.stream().filter(bound -> bound.dimension() == dimension).findFirst().orElse(null);
  }

  /** The target and the bounded dimensions. */
  public Set<Dimension> dimensions() {
    Set<Dimension> dimensions = EnumSet.of(target);
    bounds.forEach(bound -> dimensions.add(bound.dimension()));
    return dimensions;
  }

  @Override
  public String toString() {
    String verb = target == Dimension.QUALITY ? "maximize " : "minimize ";
    String conditions = bounds.stream().map(Bound::toString).collect(Collectors.joining(", "));
    return verb + target.label() + (conditions.isEmpty() ? "" : " subject to " + conditions);
  }
}

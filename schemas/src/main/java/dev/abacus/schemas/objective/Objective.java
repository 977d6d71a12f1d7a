package dev.abacus.schemas.objective;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the user wants of a plan: one dimension to optimize and any number of inclusive bounds on
 * the others, all of which hold at once (paper, section 2.2).
 *
 * <p>Its text form, which {@link ObjectiveParser} reads, is {@code maximize quality subject to cost
 * <= 0.002, latency <= 5s}.
 */
public record Objective(Dimension target, List<Bound> bounds) {

  /** What holds where a program says nothing. */
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

  /** The dimensions that matter: the target and those that are bounded. */
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

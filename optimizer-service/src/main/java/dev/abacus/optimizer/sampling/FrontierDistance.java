package dev.abacus.optimizer.sampling;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.ParetoFrontier;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Distances of arms to the Pareto frontier of their estimates: Euclidean distance to the nearest
 * arm on the frontier, with every metric of the objective scaled to [0, 1] over the arms (paper,
 * section 3.3).
 */
final class FrontierDistance {

  private final Objective objective;
  private final List<Arm> arms;
  private final Map<String, OperatorEstimate> believed;
  private final List<Dimension> dimensions;
  private final double[] least;
  private final double[] spread;

  FrontierDistance(Objective objective, List<Arm> arms, Map<String, OperatorEstimate> believed) {
    this.objective = objective;
    this.believed = believed;
    this.arms = arms.stream().filter(arm -> believed.containsKey(arm.id())).toList();
    this.dimensions = List.copyOf(objective.dimensions());
    this.least = new double[dimensions.size()];
    this.spread = new double[dimensions.size()];
    for (int d = 0; d < least.length; d++) {
      Dimension dimension = dimensions.get(d);
      var values = this.arms.stream().mapToDouble(arm -> value(arm, dimension)).summaryStatistics();
      least[d] = values.getMin();
      spread[d] = values.getMax() - values.getMin();
    }
  }

  /** The arms with an estimate, by increasing distance. */
  List<Arm> order() {
    if (arms.isEmpty()) {
      return List.of();
    }
    List<double[]> front =
        ParetoFrontier.of(
                arms,
                (arm, metric) -> belief(arm).get(metric),
                Metric.of(dimensions),
                Comparator.<Arm>naturalOrder())
            .stream()
            .map(this::scaled)
            .toList();
    Map<Arm, Double> distances = new HashMap<>();
    for (Arm arm : arms) {
      double[] place = scaled(arm);
      distances.put(
          arm, front.stream().mapToDouble(point -> distance(place, point)).min().orElse(0));
    }
    int sign = objective.target() == Dimension.QUALITY ? -1 : 1;
    return arms.stream()
        .sorted(
            Comparator.comparingDouble((Arm arm) -> distances.getOrDefault(arm, 0.0))
                .thenComparingDouble(arm -> sign * value(arm, objective.target()))
                .thenComparing(Arm::id))
        .toList();
  }

  private OperatorEstimate belief(Arm arm) {
    return Objects.requireNonNull(believed.get(arm.id()));
  }

  private double value(Arm arm, Dimension dimension) {
    return belief(arm).get(Metric.of(dimension));
  }

  private double[] scaled(Arm arm) {
    double[] place = new double[dimensions.size()];
    for (int d = 0; d < place.length; d++) {
      place[d] = spread[d] > 0 ? (value(arm, dimensions.get(d)) - least[d]) / spread[d] : 0;
    }
    return place;
  }

  private static double distance(double[] a, double[] b) {
    double squares = 0;
    for (int d = 0; d < a.length; d++) {
      squares += (a[d] - b[d]) * (a[d] - b[d]);
    }
    return Math.sqrt(squares);
  }
}

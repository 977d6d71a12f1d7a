package dev.abacus.optimizer.search.cost;

import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates observations into means, counts and spreads per operator and implementation (paper,
 * section 2.2, "cost model"). The same observations give the same doubles to the last bit, in any
 * order and with any repetitions: observations are sorted by example, deduplicated by task, and
 * summed in that order.
 *
 * <p>Not thread-safe.
 */
public final class Statistics {

  /** Of two observations of one task, the scored one counts, then the cheaper one, and so on. */
  private static final Comparator<Observation> OF_ONE_TASK =
      Comparator.comparing(Observation::quality, Comparator.nullsLast(Comparator.reverseOrder()))
          .thenComparingDouble(Observation::cost)
          .thenComparingDouble(Observation::latency)
          .thenComparing(Observation::outcome)
          .thenComparingDouble(Observation::outputCount)
          .thenComparingDouble(Observation::judgeCost);

  private final Map<String, Map<String, PhysicalOperator>> space = new HashMap<>();
  private final Map<String, SortedMap<PhysicalOperator, Arm>> arms = new TreeMap<>();
  private int foreign;

  /**
   * Statistics without observations.
   *
   * @param space implementations by logical operator id; other observations are ignored
   */
  public Statistics(Map<String, ? extends Collection<PhysicalOperator>> space) {
    space.forEach((operator, candidates) -> {
      Map<String, PhysicalOperator> byId = new HashMap<>();
      candidates.forEach(physical -> byId.put(physical.id(), physical));
      this.space.put(operator, byId);
    });
  }

  /**
   * Adds an observation.
   *
   * @return whether it changed anything: false if its implementation is not in the space, or if it
   *     repeats an observation
   */
  public boolean add(Observation observation) {
    PhysicalOperator physical =
        space.getOrDefault(observation.operator(), Map.of()).get(observation.physical());
    if (physical == null) {
      foreign++;
      return false;
    }
    return arms.computeIfAbsent(observation.operator(), _ -> new TreeMap<>())
        .computeIfAbsent(physical, _ -> new Arm())
        .add(observation);
  }

  /** The number of observations of implementations outside of the space. */
  int foreign() {
    return foreign;
  }

  /** The statistics of an implementation, or null if it was never observed. */
  public @Nullable ArmStatistics find(String operator, PhysicalOperator physical) {
    Arm arm = arms.getOrDefault(operator, new TreeMap<>()).get(physical);
    return arm == null ? null : arm.statistics();
  }

  /** The statistics of all observed implementations of an operator, in order of their ids. */
  public SortedMap<PhysicalOperator, ArmStatistics> of(String operator) {
    SortedMap<PhysicalOperator, ArmStatistics> statistics = new TreeMap<>();
    arms.getOrDefault(operator, new TreeMap<>())
        .forEach((physical, arm) -> statistics.put(physical, arm.statistics()));
    return statistics;
  }

  /** The number of observations of an operator. */
  public int samples(String operator) {
    return of(operator).values().stream().mapToInt(ArmStatistics::samples).sum();
  }

  /** The number of all observations. */
  public int samples() {
    return arms.keySet().stream().mapToInt(this::samples).sum();
  }

  /**
   * Largest minus smallest observed value over all implementations of an operator, by which the
   * exploration coefficient is scaled (paper, section 3.3); 0 without observations.
   */
  public double spread(String operator, Metric metric) {
    double minimum = Double.POSITIVE_INFINITY;
    double maximum = Double.NEGATIVE_INFINITY;
    for (ArmStatistics arm : of(operator).values()) {
      SampleSummary summary = arm.get(metric);
      if (summary != null) {
        minimum = Math.min(minimum, summary.minimum());
        maximum = Math.max(maximum, summary.maximum());
      }
    }
    return Math.max(0, maximum - minimum);
  }

  /** The cost of all observations in USD, without the judge. */
  double operatorCost() {
    return arms.values().stream()
        .flatMap(byPhysical -> byPhysical.values().stream())
        .mapToDouble(arm -> arm.sum(Observation::cost))
        .sum();
  }

  /** The cost of the judge over all observations in USD. */
  public double judgeCost() {
    return arms.values().stream()
        .flatMap(byPhysical -> byPhysical.values().stream())
        .mapToDouble(arm -> arm.sum(Observation::judgeCost))
        .sum();
  }

  /** The means of all implementations with at least one score. */
  public Estimates estimates() {
    Estimates.Builder builder = Estimates.builder();
    arms.forEach((operator, byPhysical) ->
        byPhysical.forEach((physical, arm) -> {
          OperatorEstimate estimate = arm.statistics().estimate();
          if (estimate != null) {
            builder.put(operator, physical, estimate);
          }
        }));
    return builder.build();
  }

  /** The observations of one implementation. */
  private static final class Arm {

    private record Key(String exampleId, String taskId) implements Comparable<Key> {
      @Override
      public int compareTo(Key other) {
        int byExample = exampleId.compareTo(other.exampleId);
        return byExample != 0 ? byExample : taskId.compareTo(other.taskId);
      }
    }

    private final SortedMap<Key, Observation> observations = new TreeMap<>();
    private @Nullable ArmStatistics statistics;

    boolean add(Observation observation) {
      Key key = new Key(observation.exampleId(), observation.taskId());
      Observation known = observations.get(key);
      if (known != null && OF_ONE_TASK.compare(known, observation) <= 0) {
        return false;
      }
      observations.put(key, observation);
      statistics = null;
      return true;
    }

    double sum(ToDoubleFunction<Observation> value) {
      return observations.values().stream().mapToDouble(value).sum();
    }

    ArmStatistics statistics() {
      if (statistics == null) {
        statistics = ArmStatistics.of(observations.values());
      }
      return statistics;
    }
  }
}

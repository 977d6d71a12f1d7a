package dev.abacus.optimizer.sampling.bandit;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.ParetoFrontier;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The frontier of one operator, replayed from its first round (paper, Algorithms 1 and 4).
 *
 * <p>A round gives every new arm j examples and every old arm the next example. When all samples of
 * the round are known, arms leave and others take their places. Each round follows from the
 * previous ones, so a replay over the known samples restores the state of the search without stored
 * state; the first unknown samples are the next requests.
 */
final class OperatorFrontier {

  private static final int FAILED_FRONTIERS = 2;

  private final Set<Dimension> dimensions;
  private final OperatorSamples situation;
  private final int size;
  private final int newArmExamples;

  private final List<Arm> reservoir;

  /** Measurements of the replayed rounds, for every arm ever drawn. */
  private final SortedMap<Arm, List<Measurement>> tried = new TreeMap<>();

  /** The arms of the frontier, with the number of examples given to each. */
  private final Map<Arm, Integer> frontier = new LinkedHashMap<>();

  /** The arms that left the frontier because they have every example. */
  private final Set<Arm> fullySampled = new HashSet<>();

  private List<Pull> wanted = List.of();
  private @Nullable Conclusion conclusion;

  OperatorFrontier(
      Objective objective,
      OperatorSamples situation,
      Reservoir reservoir,
      int size,
      int newArmExamples) {
    this.dimensions = objective.dimensions();
    this.situation = situation;
    this.size = size;
    this.newArmExamples = newArmExamples;
    this.reservoir =
        new ArrayList<>(reservoir.order(objective, situation.operator(), situation.arms()));
    replay();
  }

  /** Pulls of the present round that were never requested. */
  List<Pull> wanted() {
    return wanted;
  }

  /** Why there are no more rounds; null if there are. */
  @Nullable Conclusion conclusion() {
    return conclusion;
  }

  private void replay() {
    conclusion = situation.hindrance();
    fill();
    while (conclusion == null) {
      List<Pull> round = deal();
      if (round.isEmpty()) {
        conclusion = Conclusion.EVERY_PAIR_SAMPLED;
      } else if (!complete(round)) {
        return;
      } else {
        removeDominated();
        removeFullySampled();
        fill();
        conclude();
      }
    }
  }

  private void fill() {
    while (frontier.size() < size && !reservoir.isEmpty()) {
      frontier.put(reservoir.removeFirst(), 0);
    }
  }

  /**
   * The next examples of all arms, ordered by example, so that an interrupted round stays paired.
   */
  private List<Pull> deal() {
    List<String> examples = situation.examples();
    List<Pull> round = new ArrayList<>();
    for (int i = 0; i < examples.size(); i++) {
      for (Map.Entry<Arm, Integer> arm : frontier.entrySet()) {
        int first = arm.getValue();
        if (i >= first && i < first + (first == 0 ? newArmExamples : 1)) {
          round.add(new Pull(situation.operator(), arm.getKey(), examples.get(i)));
        }
      }
    }
    return round;
  }

  /** Completes the round if all its samples are known. */
  private boolean complete(List<Pull> round) {
    List<Pull> unknown = new ArrayList<>();
    boolean waiting = false;
    for (Pull pull : round) {
      Sample sample = situation.sample(pull.arm(), pull.exampleId());
      if (sample == null) {
        unknown.add(pull);
      }
      waiting |= sample == null || sample instanceof Sample.Outstanding;
    }
    if (waiting) {
      wanted = List.copyOf(unknown);
      return false;
    }
    for (Pull pull : round) {
      frontier.merge(pull.arm(), 1, Integer::sum);
      if (situation.sample(pull.arm(), pull.exampleId()) instanceof Sample.Observed) {
        situation.measurements(pull.arm()).stream()
            .filter(measured -> measured.example().equals(pull.exampleId()))
            .forEach(tried.computeIfAbsent(pull.arm(), _ -> new ArrayList<>())::add);
      }
    }
    return true;
  }

  private void removeDominated() {
    Map<Arm, ArmStatistics> tried = statistics();
    ConfidenceBounds bounds = new ConfidenceBounds(dimensions, tried.values());
    Map<Arm, ArmStatistics> present = new LinkedHashMap<>(tried);
    present.keySet().removeIf(arm -> !frontier.containsKey(arm) && !fullySampled.contains(arm));
    List<ArmStatistics> optimal = paretoOptimal(present);
    present.forEach((arm, known) -> {
      if (known.alwaysFailed()
          || optimal.stream().anyMatch(other -> bounds.fallsShortOf(known, other))) {
        frontier.remove(arm);
      }
    });
  }

  /**
   * Gives the places of arms that have every example to arms of the reservoir. They are still
   * compared with the others.
   */
  private void removeFullySampled() {
    if (!reservoir.isEmpty()) {
      frontier.forEach((arm, given) -> {
        if (given >= situation.examples().size()) {
          fullySampled.add(arm);
        }
      });
      frontier.keySet().removeAll(fullySampled);
    }
  }

  /**
   * Pareto-optimal arms by their means, without arms that have an unknown mean or only failures.
   */
  private List<ArmStatistics> paretoOptimal(Map<Arm, ArmStatistics> arms) {
    Map<Arm, OperatorEstimate> means = new TreeMap<>();
    arms.forEach((arm, statistics) -> {
      OperatorEstimate estimate = statistics.estimate();
      if (estimate != null && !statistics.alwaysFailed()) {
        means.put(arm, estimate);
      }
    });
    return ParetoFrontier.of(
            means.entrySet(),
            (arm, metric) -> arm.getValue().get(metric),
            Metric.of(dimensions),
            Map.Entry.comparingByKey())
        .stream()
        .map(optimal -> Objects.requireNonNull(arms.get(optimal.getKey())))
        .toList();
  }

  private SortedMap<Arm, ArmStatistics> statistics() {
    SortedMap<Arm, ArmStatistics> statistics = new TreeMap<>();
    tried.forEach((arm, measured) -> statistics.put(arm, ArmStatistics.of(measured)));
    return statistics;
  }

  /**
   * Ends the search if it cannot improve. If every arm of two frontiers failed, the operator itself
   * or the access to the models is broken.
   */
  private void conclude() {
    Collection<ArmStatistics> tried = statistics().values();
    boolean futile = !tried.isEmpty() && tried.stream().allMatch(ArmStatistics::alwaysFailed);
    if (futile && (frontier.isEmpty() || tried.size() >= FAILED_FRONTIERS * size)) {
      conclusion = Conclusion.ALL_FAILED;
    } else if (reservoir.isEmpty() && frontier.size() == 1 && !frontier.containsValue(0)) {
      conclusion = Conclusion.ONE_LEFT;
    }
  }
}

package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The next samples of one operator: whether there are any, of which arms they may be, and on which
 * examples. Arms that differ in their service tiers alone have the same answers, so none is asked
 * for an answer that another has.
 *
 * @param answered the examples on which arms were sampled, by their {@linkplain Arm#answers()
 *     answers}
 */
record OperatorWave(OperatorSamples operator, Map<String, Set<String>> answered) {

  /** Least number of samples per operator in each wave. */
  static final int WAVE = 5;

  /** Samples of an operator per sample of its next wave. */
  private static final int SAMPLES_PER_WAVE = 20;

  /** Largest number of samples of an operator. */
  static final int MOST = 1000;

  /** Samples on each example, over all arms. */
  static final int SHARED = 4;

  private static final int GIVE_UP_AFTER = 12;
  private static final int ENOUGH_OF_ONE_ARM = 4;

  /** The next samples after those that an operator has. */
  static OperatorWave of(OperatorSamples operator) {
    Map<String, Set<String>> answered = new HashMap<>();
    operator
        .samples()
        .forEach((arm, byExample) ->
            answered
                .computeIfAbsent(ServiceTier.withoutTiers(arm), _ -> new HashSet<>())
                .addAll(byExample.keySet()));
    return new OperatorWave(operator, answered);
  }

  /** Why there are no further samples; null if there are, or if some are outstanding. */
  @Nullable Conclusion conclusion() {
    Conclusion hindrance = operator.hindrance();
    if (hindrance != null) {
      return hindrance;
    }
    if (operator.arms().stream().allMatch(arm -> room(arm) == 0)) {
      return isWaiting() ? null : Conclusion.EVERY_PAIR_SAMPLED;
    }
    if (samples() >= MOST) {
      return isWaiting() ? null : Conclusion.DRAWN_AS_PLANNED;
    }
    List<Arm> tried =
        operator.arms().stream().filter(arm -> !operator.measurements(arm).isEmpty()).toList();
    if (tried.size() >= Math.min(GIVE_UP_AFTER, operator.arms().size())
        && tried.stream().allMatch(this::alwaysFailed)) {
      return Conclusion.ALL_FAILED;
    }
    boolean oneLeft =
        operator.arms().size() == 1
            && operator.measurements(operator.arms().getFirst()).size()
                >= Math.min(ENOUGH_OF_ONE_ARM, operator.examples().size());
    return oneLeft ? Conclusion.ONE_LEFT : null;
  }

  /** Number of samples of the wave. */
  int size() {
    int samples = samples();
    return Math.min(Math.max(WAVE, samples / SAMPLES_PER_WAVE), MOST - samples);
  }

  /** Number of samples, with those that are outstanding or lost. */
  private int samples() {
    return operator.samples().values().stream().mapToInt(Map::size).sum();
  }

  /** Whether nothing is measured yet. */
  boolean isFirst() {
    return operator.arms().stream().allMatch(arm -> operator.measurements(arm).isEmpty());
  }

  /** Whether samples are outstanding. */
  boolean isWaiting() {
    return operator.samples().values().stream()
        .flatMap(byExample -> byExample.values().stream())
        .anyMatch(Sample.Outstanding.class::isInstance);
  }

  private boolean alwaysFailed(Arm arm) {
    List<Measurement> measured = operator.measurements(arm);
    return !measured.isEmpty() && ArmStatistics.of(measured).alwaysFailed();
  }

  /** Number of examples without a sample of the arm, at whatever service tier. */
  int room(int arm) {
    return room(operator.arms().get(arm));
  }

  private int room(Arm arm) {
    Set<String> had = answered.getOrDefault(arm.answers(), Set.of());
    return (int) operator.examples().stream().filter(example -> !had.contains(example)).count();
  }

  /**
   * The arms that may be sampled and chosen. Where latency does not count, a sample at one service
   * tier says what one at the other does, so each answer is asked for at the cheapest.
   */
  int[] eligible(Set<Dimension> dimensions) {
    Map<String, Integer> cheapest = new LinkedHashMap<>();
    for (int arm = 0; arm < operator.arms().size(); arm++) {
      Arm one = operator.arms().get(arm);
      if (!alwaysFailed(one)) {
        String answers = dimensions.contains(Dimension.LATENCY) ? one.id() : one.answers();
        cheapest.merge(answers, arm, (known, other) -> price(other) < price(known) ? other : known);
      }
    }
    return cheapest.values().stream().mapToInt(Integer::intValue).toArray();
  }

  private double price(int arm) {
    return operator.readings().tierPrice(operator.arms().get(arm).id());
  }

  /** Arms with different answers that have room, at each of their service tiers in turn. */
  List<Integer> firstArms(Priors priors, long seed, Objective objective) {
    Map<String, List<Arm>> tiers = new LinkedHashMap<>();
    if (!priors.of(operator.operator()).isEmpty()) {
      byAnswers(Reservoir.believing(priors, seed), objective).entrySet().stream()
          .limit(WAVE / 2)
          .forEach(group -> tiers.put(group.getKey(), group.getValue()));
    }
    Map<String, List<Arm>> random = byAnswers(Reservoir.seeded(seed), objective);
    random.forEach((answers, arms) -> {
      if (arms.getFirst().isPlain()) {
        tiers.putIfAbsent(answers, arms);
      }
    });
    random.forEach(tiers::putIfAbsent);
    List<Integer> first = new ArrayList<>();
    for (List<Arm> arms : tiers.values().stream().limit(WAVE).toList()) {
      first.add(operator.arms().indexOf(arms.get(first.size() % arms.size())));
    }
    return first;
  }

  /** The arms in an order, those that give the same answers together. */
  private Map<String, List<Arm>> byAnswers(Reservoir reservoir, Objective objective) {
    return reservoir.order(objective, operator.operator(), operator.arms()).stream()
        .filter(arm -> room(arm) > 0)
        .collect(Collectors.groupingBy(Arm::answers, LinkedHashMap::new, Collectors.toList()));
  }

  /**
   * Requests for every arm an example that it has no sample of. Examples are opened one by one,
   * such that each has about {@link #SHARED} samples: samples on one example can be compared, but
   * many examples are needed to know the mean. Of the open examples an arm gets the one that the
   * fewest arms were sampled on, and none that has its answer at another service tier. The arms
   * count as sampled on these examples from then on.
   */
  Set<Pull> deal(List<Integer> arms) {
    Map<String, Integer> uses = new HashMap<>();
    Set<Pull> dealt = new LinkedHashSet<>();
    operator.samples().values().stream()
        .flatMap(byExample -> byExample.keySet().stream())
        .forEach(example -> uses.merge(example, 1, Integer::sum));
    int total = uses.values().stream().mapToInt(Integer::intValue).sum();
    for (int index : arms) {
      Arm arm = operator.arms().get(index);
      total++;
      Set<String> had = answered.computeIfAbsent(arm.answers(), _ -> new HashSet<>());
      List<String> free =
          operator.examples().stream().filter(example -> !had.contains(example)).toList();
      Set<String> open =
          Set.copyOf(
              operator
                  .examples()
                  .subList(0, Math.min(operator.examples().size(), (total + SHARED - 1) / SHARED)));
      free.stream()
          .filter(open::contains)
          .min(Comparator.comparingInt(example -> uses.getOrDefault(example, 0)))
          .or(() -> free.stream().findFirst())
          .ifPresent(example -> {
            dealt.add(new Pull(operator.operator(), arm, example));
            uses.merge(example, 1, Integer::sum);
            had.add(example);
          });
    }
    return dealt;
  }
}

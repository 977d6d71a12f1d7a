package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.LiveAmounts;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.RandomEffect;
import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.optimizer.estimate.SelectivityPosterior;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Outlook;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.sampling.Stakes;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The default policy. A model ({@link OperatorModel}) shares information among all arms of an
 * operator: a sample of one model under one technique says something about the model under all
 * techniques, and about the technique under all models. The next samples are those of highest value
 * to the whole plan ({@link PlanContext}, {@link KnowledgeGradient}). The final plan is chosen by
 * posterior means, not by raw means, where one lucky sample looks like skill.
 *
 * <p>A wave is 5 samples of each operator, from 100 samples on a twentieth of their number, because
 * a decision takes time that grows with the cube of that number; for the same reason an operator
 * has at most {@value #MOST} samples. With {@link Stakes}, an operator gets no more samples as soon
 * as none is expected to be worth its price. The first wave is of models without technique ({@link
 * Arm#isPlain}), which say most about all arms with these models, and of arms at random; with
 * priors, two of them are the best by the priors. Each example has about 4 samples, so that
 * comparisons are paired and many examples are used.
 *
 * <p>Thread-safe.
 */
public final class SurrogateSampling implements SamplingPolicy {

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

  private final long seed;
  private final Priors priors;

  private final OperatorModels models;

  /**
   * Creates the policy.
   *
   * @param seed of the order of the first arms
   * @param priors beliefs before the first sample; only comparisons between arms matter
   */
  public SurrogateSampling(long seed, Priors priors) {
    this.seed = seed;
    this.priors = priors;
    this.models = new OperatorModels(priors);
  }

  @Override
  public Proposal propose(SamplingState state) {
    Map<String, Conclusion> conclusions = new LinkedHashMap<>();
    List<OperatorSamples> open = new ArrayList<>();
    for (OperatorSamples operator : state.operators()) {
      Conclusion conclusion = conclusion(operator);
      if (conclusion != null) {
        conclusions.put(operator.operator(), conclusion);
      } else {
        open.add(operator);
      }
    }
    List<Pull> pulls = new ArrayList<>();
    Map<String, Outlook> outlooks = new LinkedHashMap<>();
    if (open.stream().noneMatch(SurrogateSampling::isWaiting)) {
      wave(state, open, pulls, outlooks);
      outlooks
          .keySet()
          .forEach(operator -> conclusions.put(operator, Conclusion.NOT_WORTH_THE_PRICE));
    }
    return new Proposal(pulls, conclusions, outlooks);
  }

  /**
   * @param outlooks receives those of operators whose further samples are not worth their price
   */
  private void wave(
      SamplingState state,
      List<OperatorSamples> open,
      List<Pull> pulls,
      Map<String, Outlook> outlooks) {
    Set<Dimension> dimensions = EnumSet.copyOf(state.objective().dimensions());
    List<OperatorSamples> implemented =
        state.operators().stream().filter(operator -> !operator.arms().isEmpty()).toList();
    List<OperatorModel> modelled = List.of();
    List<PlanContext> contexts = List.of();
    if (!open.stream().allMatch(SurrogateSampling::isNew)) {
      modelled = implemented.stream().map(models::of).toList();
      contexts = PlanContext.of(state.objective(), modelled, state.mixed());
    }
    for (OperatorSamples operator : open) {
      Map<String, Set<String>> answered = answered(operator);
      if (isNew(operator)) {
        deal(operator, firstArms(state.objective(), operator), pulls);
      } else {
        int index = implemented.indexOf(operator);
        KnowledgeGradient gradient =
            new KnowledgeGradient(
                modelled.get(index),
                contexts.get(index),
                dimensions.toArray(Dimension[]::new),
                eligible(operator, dimensions),
                state.inDollars(),
                state.required());
        Stakes stakes = state.stakes();
        Outlook outlook =
            stakes == null ? null : gradient.outlook(stakes, arm -> room(operator, arm, answered));
        if (outlook != null && !outlook.isWorthIt()) {
          outlooks.put(operator.operator(), outlook);
        } else {
          deal(
              operator,
              gradient.choose(wave(operator), arm -> room(operator, arm, answered)),
              pulls);
        }
      }
    }
  }

  private static @Nullable Conclusion conclusion(OperatorSamples operator) {
    Conclusion hindrance = operator.hindrance();
    if (hindrance != null) {
      return hindrance;
    }
    Map<String, Set<String>> answered = answered(operator);
    if (IntStream.range(0, operator.arms().size())
        .allMatch(arm -> room(operator, arm, answered) == 0)) {
      return isWaiting(operator) ? null : Conclusion.EVERY_PAIR_SAMPLED;
    }
    if (samples(operator) >= MOST) {
      return isWaiting(operator) ? null : Conclusion.DRAWN_AS_PLANNED;
    }
    int tried = 0;
    int failed = 0;
    for (Arm arm : operator.arms()) {
      if (!operator.measurements(arm).isEmpty()) {
        tried++;
        failed += alwaysFailed(operator, arm) ? 1 : 0;
      }
    }
    if (tried == failed && tried >= Math.min(GIVE_UP_AFTER, operator.arms().size())) {
      return Conclusion.ALL_FAILED;
    }
    boolean oneLeft =
        operator.arms().size() == 1
            && operator.measurements(operator.arms().getFirst()).size()
                >= Math.min(ENOUGH_OF_ONE_ARM, operator.examples().size());
    return oneLeft ? Conclusion.ONE_LEFT : null;
  }

  private static int wave(OperatorSamples operator) {
    int samples = samples(operator);
    return Math.min(Math.max(WAVE, samples / SAMPLES_PER_WAVE), MOST - samples);
  }

  /** Number of samples, with those that are outstanding or lost. */
  private static int samples(OperatorSamples operator) {
    return operator.samples().values().stream().mapToInt(Map::size).sum();
  }

  private static boolean isNew(OperatorSamples operator) {
    return operator.arms().stream().allMatch(arm -> operator.measurements(arm).isEmpty());
  }

  private static boolean isWaiting(OperatorSamples operator) {
    return operator.samples().values().stream()
        .flatMap(byExample -> byExample.values().stream())
        .anyMatch(Sample.Outstanding.class::isInstance);
  }

  private static boolean alwaysFailed(OperatorSamples operator, Arm arm) {
    List<Measurement> measured = operator.measurements(arm);
    return !measured.isEmpty() && ArmStatistics.of(measured).alwaysFailed();
  }

  /** Number of examples without a sample of the arm, at whatever service tier. */
  private static int room(OperatorSamples operator, int arm, Map<String, Set<String>> answered) {
    Set<String> had = answered.getOrDefault(answering(operator.arms().get(arm)), Set.of());
    return (int) operator.examples().stream().filter(example -> !had.contains(example)).count();
  }

  /** The examples on which arms were sampled, by their answers. */
  private static Map<String, Set<String>> answered(OperatorSamples operator) {
    Map<String, Set<String>> answered = new HashMap<>();
    operator
        .samples()
        .forEach((arm, byExample) ->
            answered
                .computeIfAbsent(ServiceTier.withoutTiers(arm), _ -> new HashSet<>())
                .addAll(byExample.keySet()));
    return answered;
  }

  /**
   * The arms that may be sampled and chosen. Where latency does not count, a sample at one service
   * tier says what one at the other does, so each answer is asked for at the cheapest.
   */
  private static int[] eligible(OperatorSamples operator, Set<Dimension> dimensions) {
    Map<String, Integer> cheapest = new LinkedHashMap<>();
    for (int arm = 0; arm < operator.arms().size(); arm++) {
      Arm one = operator.arms().get(arm);
      if (!alwaysFailed(operator, one)) {
        String answers = dimensions.contains(Dimension.LATENCY) ? one.id() : answering(one);
        cheapest.merge(
            answers,
            arm,
            (known, other) -> price(operator, other) < price(operator, known) ? other : known);
      }
    }
    return cheapest.values().stream().mapToInt(Integer::intValue).toArray();
  }

  private static double price(OperatorSamples operator, int arm) {
    return operator.readings().tierPrice(operator.arms().get(arm).id());
  }

  /** Arms with different answers, at each of their service tiers in turn. */
  private List<Integer> firstArms(Objective objective, OperatorSamples operator) {
    Map<String, List<Arm>> tiers = new LinkedHashMap<>();
    if (!priors.of(operator.operator()).isEmpty()) {
      byAnswers(Reservoir.believing(priors, seed), objective, operator).entrySet().stream()
          .limit(WAVE / 2)
          .forEach(group -> tiers.put(group.getKey(), group.getValue()));
    }
    Map<String, List<Arm>> random = byAnswers(Reservoir.seeded(seed), objective, operator);
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
  private static Map<String, List<Arm>> byAnswers(
      Reservoir reservoir, Objective objective, OperatorSamples operator) {
    return reservoir.order(objective, operator.operator(), operator.arms()).stream()
        .collect(
            Collectors.groupingBy(
                SurrogateSampling::answering, LinkedHashMap::new, Collectors.toList()));
  }

  /**
   * Requests for every arm an example that it has no sample of. Examples are opened one by one,
   * such that each has about {@link #SHARED} samples: samples on one example can be compared, but
   * many examples are needed to know the mean. Of the open examples an arm gets the one that the
   * fewest arms were sampled on, and none that has its answer at another service tier.
   */
  private static void deal(OperatorSamples operator, List<Integer> arms, List<Pull> pulls) {
    Map<String, Integer> uses = new HashMap<>();
    Set<Pull> dealt = new LinkedHashSet<>();
    Map<String, Set<String>> answered = answered(operator);
    operator.samples().values().stream()
        .flatMap(byExample -> byExample.keySet().stream())
        .forEach(example -> uses.merge(example, 1, Integer::sum));
    int total = uses.values().stream().mapToInt(Integer::intValue).sum();
    for (int index : arms) {
      Arm arm = operator.arms().get(index);
      total++;
      Set<String> had = answered.computeIfAbsent(answering(arm), _ -> new HashSet<>());
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
    pulls.addAll(dealt);
  }

  @Override
  public Map<String, Map<Arm, Belief>> beliefs(SamplingState state) {
    Map<String, OperatorModel> byOperator = new LinkedHashMap<>();
    for (OperatorSamples operator : state.operators()) {
      if (!operator.arms().isEmpty()) {
        byOperator.put(operator.operator(), models.of(operator));
      }
    }
    double shared =
        SharedHardness.of(byOperator.values().stream().map(OperatorModel::residuals).toList());
    Map<String, Map<Arm, Belief>> beliefs = new LinkedHashMap<>();
    for (OperatorSamples operator : state.operators()) {
      OperatorModel model = byOperator.get(operator.operator());
      beliefs.put(operator.operator(), model == null ? Map.of() : beliefs(operator, model, shared));
    }
    return beliefs;
  }

  private static Map<Arm, Belief> beliefs(
      OperatorSamples operator, OperatorModel model, double shared) {
    SelectivityPosterior selectivity =
        SelectivityPosterior.of(operator.arms().stream().map(operator::measurements).toList());
    Map<String, List<Measurement>> answers = answers(operator);
    Map<Arm, Belief> beliefs = new TreeMap<>();
    for (int arm = 0; arm < model.size(); arm++) {
      Arm of = operator.arms().get(arm);
      List<Measurement> measured = answers.getOrDefault(answering(of), List.of());
      if (!measured.isEmpty()) {
        ArmStatistics raw = ArmStatistics.of(measured);
        if (raw.quality() != null && !raw.alwaysFailed()) {
          beliefs.put(
              of,
              belief(
                  operator.operator(),
                  model,
                  arm,
                  operator.readings().live(of.id()),
                  shared,
                  raw,
                  selectivity));
        }
      }
    }
    return beliefs;
  }

  /** The measurements of the arms that give the same answers, at whatever service tiers. */
  private static Map<String, List<Measurement>> answers(OperatorSamples operator) {
    Map<String, List<Measurement>> answers = new HashMap<>();
    operator
        .arms()
        .forEach(arm ->
            answers
                .computeIfAbsent(answering(arm), _ -> new ArrayList<>())
                .addAll(operator.measurements(arm)));
    return answers;
  }

  private static String answering(Arm arm) {
    return ServiceTier.withoutTiers(arm.id());
  }

  private static Belief belief(
      String operator,
      OperatorModel model,
      int arm,
      LiveAmounts live,
      double shared,
      ArmStatistics raw,
      SelectivityPosterior selectivity) {
    double outputs = selectivity.mean(raw);
    return new Belief(
        live.stored().of(model.estimate(arm, outputs)),
        raw.samples(),
        model.error(Dimension.QUALITY, arm, shared).plus(live.quality()),
        model.error(Dimension.COST, arm, shared).plus(live.cost()),
        model.error(Dimension.LATENCY, arm, shared).plus(live.latency()),
        Loadings.of(new RandomEffect(Kind.OUTPUTS, operator, ""), selectivity.deviation(outputs)));
  }

  @Override
  public int fullSamples(int configured) {
    return 1;
  }

  @Override
  public boolean hasDeviations() {
    return true;
  }
}

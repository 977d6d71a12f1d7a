package dev.abacus.optimizer.sampling.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.AsMeasured;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.sampling.Stakes;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ObservationBuilder;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.Reasoning;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SurrogateSamplingTest {

  private static final String QUALITY = "maximize quality";
  private static final String COST = "minimize cost";
  private static final Comparator<Map.Entry<Arm, Belief>> BY_QUALITY =
      Comparator.comparingDouble(arm -> arm.getValue().mean().quality());
  private static final Comparator<Map.Entry<Arm, Belief>> BY_COST =
      Comparator.comparingDouble(arm -> -arm.getValue().mean().cost());

  private static double meanQuality(
      java.util.function.Function<SyntheticLandscape, Priors> priors, int budget) {
    return LongStream.range(0, 8)
        .mapToDouble(seed -> {
          SyntheticLandscape world = new SyntheticLandscape(seed);
          SamplingPolicy policy = new SurrogateSampling(seed, priors.apply(world));
          world.play(policy, QUALITY, budget);
          return world.truth(world.best(policy, QUALITY, BY_QUALITY).getKey()).quality();
        })
        .average()
        .orElseThrow();
  }

  @Test
  void findsGoodArmsWithFewerSamplesThanThereAreArms() {
    assertThat(meanQuality(_ -> Priors.NONE, 40)).isGreaterThan(0.75);
  }

  /** All arms were sampled once; those at up to twice the bound are one of two plans. */
  @Test
  void armsBeyondTheBoundAreSampledWhereTwoPlansShareTheKeys() {
    assertThat(2 * pullsBeyondTheBound(true)).isGreaterThan(3 * pullsBeyondTheBound(false));
  }

  private static long pullsBeyondTheBound(boolean mixed) {
    return LongStream.range(0, 8)
        .map(seed -> {
          SyntheticLandscape world = new SyntheticLandscape(seed);
          world.drawAll(world.arms.size());
          SamplingState state =
              world.situation("maximize quality subject to cost <= 0.003").withMixed(mixed);
          return new SurrogateSampling(seed, Priors.NONE)
              .propose(state).pulls().stream()
                  .mapToDouble(pull -> world.truth(pull.arm()).cost())
                  .filter(cost -> cost > 0.003)
                  .count();
        })
        .sum();
  }

  @Test
  void scoresThatAreAllRightDoNotMakeTheBestArmCertain() {
    int seeds = 60;
    long covered =
        LongStream.range(0, seeds)
            .filter(seed -> {
              SyntheticLandscape world = SyntheticLandscape.rightOrWrong(seed);
              SamplingPolicy policy = new SurrogateSampling(seed, Priors.NONE);
              world.play(policy, QUALITY, 40);
              Map.Entry<Arm, Belief> best = world.best(policy, QUALITY, BY_QUALITY);
              double truth = world.truth(best.getKey()).quality();
              Belief belief = best.getValue();
              return Math.abs(belief.mean().quality() - truth) <= 2 * belief.quality().deviation();
            })
            .count();

    assertThat(covered).isGreaterThanOrEqualTo(Math.round(0.93 * seeds));
  }

  @Test
  void scoresOfCallsThatErrAsAWholeAreLessCertain() {
    assertThat(deviation(true)).isGreaterThan(1.5 * deviation(false));
  }

  /** The deviation of 32 scores of four calls, whose means differ. */
  private static double deviation(boolean shared) {
    Arm arm = Arm.of(new TupleBatch("m", 8));
    Map<String, Sample> samples = new HashMap<>();
    for (int i = 0; i < 32; i++) {
      int call = i / 8;
      ObservationBuilder observation =
          Observation.builder("t" + i, "p", "o", arm.id(), "e" + i)
              .quality(0.4 + 0.15 * call + 0.01 * (i % 8))
              .scoredBy(Observation.ScoredBy.LABEL)
              .cost(0.001)
              .latency(1);
      if (shared) {
        observation.batch(new Observation.Batch("call" + call, 8, 0));
      }
      samples.put("e" + i, new Sample.Observed(observation.build()));
    }
    OperatorSamples operator =
        AsMeasured.of("o", List.of(arm), List.copyOf(samples.keySet()), Map.of(arm.id(), samples));
    SamplingState state = SamplingBench.stateOf(ObjectiveParser.parse(QUALITY), List.of(operator));
    return Objects.requireNonNull(
            Objects.requireNonNull(new SurrogateSampling(1, Priors.NONE).beliefs(state).get("o"))
                .get(arm))
        .quality()
        .deviation();
  }

  /**
   * One model was sampled on four examples at each tier, the other at the standard tier alone: at
   * half the price, a third of the speed and with equal answers, flex is another latency. Its cost
   * follows from the price.
   */
  @Test
  void evidenceAtOneServiceTierIsEvidenceOfQualityAndCostAtTheOther() {
    List<Arm> arms =
        Stream.of("a", "a@flex", "b", "b@flex")
            .map(model -> Arm.of(new ModelSelection(model)))
            .toList();
    Map<String, Map<String, Sample>> samples = new HashMap<>();
    measured(samples, arms.get(0), 1, 0.9, "e1", "e2", "e3", "e4");
    measured(samples, arms.get(1), 0.5, 0.9, "e5", "e6", "e7", "e8");
    measured(samples, arms.get(2), 1, 0.2, "e1", "e2", "e3", "e4");
    List<String> examples = List.of("e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9");
    OperatorSamples operator = AsMeasured.of("o", arms, examples, samples);
    SamplingState state = SamplingBench.stateOf(ObjectiveParser.parse(QUALITY), List.of(operator));
    Map<Arm, Belief> beliefs =
        Objects.requireNonNull(new SurrogateSampling(1, Priors.NONE).beliefs(state).get("o"));
    Belief a = Objects.requireNonNull(beliefs.get(arms.get(0)));
    Belief flex = Objects.requireNonNull(beliefs.get(arms.get(1)));
    Belief b = Objects.requireNonNull(beliefs.get(arms.get(2)));
    Belief unseen = Objects.requireNonNull(beliefs.get(arms.get(3)));

    assertThat(a.samples()).isEqualTo(8);
    assertThat(flex.mean().quality()).isEqualTo(a.mean().quality(), within(1e-9));
    assertThat(flex.quality().deviation()).isEqualTo(a.quality().deviation(), within(1e-9));
    assertThat(flex.quality().covariance(a.quality()))
        .isEqualTo(a.quality().variance(), within(1e-9));
    assertThat(unseen.mean().quality()).isEqualTo(b.mean().quality(), within(1e-9));
    assertThat(flex.mean().cost() / a.mean().cost()).isEqualTo(0.5, within(1e-9));
    assertThat(flex.mean().latency() / a.mean().latency()).isBetween(2.0, 3.5);
    assertThat(unseen.mean().cost() / b.mean().cost()).isEqualTo(0.5, within(1e-9));
    assertThat(unseen.cost().deviation()).isEqualTo(b.cost().deviation(), within(1e-9));
    assertThat(unseen.latency().deviation()).isGreaterThan(1.2 * b.latency().deviation());
  }

  /** Both tiers gave the same answer to the same examples: nothing more is known of it. */
  @Test
  void theSameAnswerAtTwoTiersCountsOnce() {
    List<Arm> arms =
        Stream.of("a", "a@flex").map(model -> Arm.of(new ModelSelection(model))).toList();
    List<String> examples = List.of("e1", "e2", "e3", "e4");
    Map<String, Map<String, Sample>> once = new HashMap<>();
    measured(once, arms.get(0), 1, 0.7, "e1", "e2", "e3", "e4");
    Map<String, Map<String, Sample>> twice = new HashMap<>(once);
    measured(twice, arms.get(1), 0.5, 0.7, "e1", "e2", "e3", "e4");

    assertThat(deviation(arms, examples, twice))
        .isEqualTo(deviation(arms, examples, once), within(1e-9));
  }

  private static double deviation(
      List<Arm> arms, List<String> examples, Map<String, Map<String, Sample>> samples) {
    SamplingState state =
        SamplingBench.stateOf(
            ObjectiveParser.parse(QUALITY), List.of(AsMeasured.of("o", arms, examples, samples)));
    return Objects.requireNonNull(
            Objects.requireNonNull(new SurrogateSampling(1, Priors.NONE).beliefs(state).get("o"))
                .get(arms.getFirst()))
        .quality()
        .deviation();
  }

  private static void measured(
      Map<String, Map<String, Sample>> samples,
      Arm arm,
      double price,
      double quality,
      String... examples) {
    Map<String, Sample> byExample = new HashMap<>();
    for (int i = 0; i < examples.length; i++) {
      double noise = 0.03 * (i % 3 - 1);
      byExample.put(
          examples[i],
          new Sample.Observed(
              Observation.builder(arm.id() + examples[i], "p", "o", arm.id(), examples[i])
                  .quality(quality + noise)
                  .scoredBy(Observation.ScoredBy.LABEL)
                  .cost(0.001 * price * (1 + noise))
                  .latency((price < 1 ? 3 : 1) * (1 - noise))
                  .atTiers(Map.of("standard", 1 / price, "flex", 0.5 / price))
                  .build()));
    }
    samples.put(arm.id(), byExample);
  }

  @Test
  void aBoundThatEveryArmMeetsDoesNotKeepTheSearchOpen() {
    SamplingBench bench =
        new SamplingBench(8, 30, pull -> SamplingBench.observed(pull, 0, 0.001, 1));
    for (Arm arm : bench.arms()) {
      for (int example = 0; example < 4; example++) {
        bench.answer(new Pull(SamplingBench.OPERATOR, arm, "e" + example));
      }
    }
    for (String objective : List.of(COST, COST + " subject to quality >= 0")) {
      SamplingState state = bench.situation(objective).withStakes(new Stakes(10, 0, 0.01));

      assertThat(new SurrogateSampling(1, Priors.NONE).propose(state).conclusions())
          .as(objective)
          .containsValue(Proposal.Conclusion.NOT_WORTH_THE_PRICE);
    }
  }

  @Test
  void theFirstWaveAsksForDifferentAnswersAtEachTierInTurn() {
    List<Arm> plain = arms(List.of(""));
    List<Arm> tiers = arms(List.of("", "@flex"));
    for (long seed = 0; seed < 5; seed++) {
      List<String> without = firstWave(plain, seed);
      List<String> with = firstWave(tiers, seed);

      assertThat(with.stream().map(ServiceTier::withoutTiers)).containsExactlyElementsOf(without);
      assertThat(with.stream().filter(id -> id.contains("@flex"))).hasSize(with.size() / 2);
    }
  }

  @Test
  void theFirstWaveBeginsWithModelsWithoutATechnique() {
    List<Arm> arms =
        Stream.of("a", "b", "c")
            .flatMap(model ->
                Stream.concat(
                    IntStream.range(2, 30).mapToObj(size -> new TupleBatch(model, size)),
                    Stream.of(
                        new ModelSelection(model), new ModelSelection(model, Reasoning.STEPS))))
            .map(Arm::of)
            .toList();
    for (long seed = 0; seed < 5; seed++) {
      List<String> first = firstWave(arms, seed);
      assertThat(first).hasSize(OperatorWave.WAVE);
      assertThat(first.subList(0, 3))
          .containsExactlyInAnyOrder(
              "model-selection(a)", "model-selection(b)", "model-selection(c)");
    }
  }

  private static List<Arm> arms(List<String> tiers) {
    return IntStream.range(0, 41)
        .boxed()
        .flatMap(i -> tiers.stream().map(tier -> Arm.of(new ModelSelection("m" + i + tier))))
        .toList();
  }

  private static List<String> firstWave(List<Arm> arms, long seed) {
    SamplingState state =
        SamplingBench.stateOf(
            ObjectiveParser.parse(QUALITY),
            List.of(AsMeasured.of("o", arms, List.of("e1", "e2"), Map.of())));
    return new SurrogateSampling(seed, Priors.NONE)
        .propose(state).pulls().stream().map(pull -> pull.arm().id()).toList();
  }

  @Test
  void anExampleThatHasTheAnswerAtAnotherTierIsNotSampled() {
    List<Arm> arms =
        Stream.of("a", "a@flex").map(model -> Arm.of(new ModelSelection(model))).toList();
    Map<String, Map<String, Sample>> samples = new HashMap<>();
    measured(samples, arms.get(0), 1, 0.7, "e1", "e2");
    measured(samples, arms.get(1), 0.5, 0.7, "e3", "e4");
    List<String> examples = List.of("e1", "e2", "e3", "e4", "e5", "e6");
    SamplingState state =
        SamplingBench.stateOf(
            ObjectiveParser.parse(QUALITY), List.of(AsMeasured.of("o", arms, examples, samples)));

    assertThat(new SurrogateSampling(1, Priors.NONE).propose(state).pulls())
        .extracting(Pull::exampleId)
        .containsExactly("e5", "e6");
  }

  @Test
  void findsCheapArmsWhenCostIsTheTarget() {
    double mean =
        LongStream.range(0, 8)
            .mapToDouble(seed -> {
              SyntheticLandscape world = new SyntheticLandscape(seed);
              SamplingPolicy policy = new SurrogateSampling(seed, Priors.NONE);
              world.play(policy, COST, 40);
              return world.truth(world.best(policy, COST, BY_COST).getKey()).cost();
            })
            .average()
            .orElseThrow();
    // The cheapest of all costs 0.000054, the median arm 0.0011.
    assertThat(mean).isLessThan(0.0001);
  }

  @Test
  void costsAreComparedByRatiosIfTheyAreTheTarget() {
    Dimension[] cost = {Dimension.COST};
    PlanContext context = new PlanContext(Dimension.COST, 1, 0.001, 0.002, Map.of(), Map.of());

    double cheap = worth(context, cost, 0.001) - worth(context, cost, 0.003);
    double expensive = worth(context, cost, 0.999) - worth(context, cost, 1.999);

    // Of the whole plan, with 0.001 for the other operators: 0.002 against 0.004, 1 against 2.
    assertThat(cheap).isPositive().isCloseTo(expensive, within(1e-12));
    // Near the plan, the worth of a dollar is a dollar.
    assertThat(worth(context, cost, 0.001) - worth(context, cost, 0.00101))
        .isCloseTo(0.00001, within(1e-7));
  }

  private static double worth(PlanContext context, Dimension[] cost, double usd) {
    return context.worth(cost, new double[] {Math.log(usd)});
  }

  @Test
  void reversedPriorsDoNotTrapIt() {
    assertThat(meanQuality(SyntheticLandscape::reversed, 60)).isGreaterThan(0.75);
  }

  @Test
  void rightPriorsHelpWhereSamplesAreFew() {
    assertThat(meanQuality(SyntheticLandscape::right, 10))
        .isGreaterThan(meanQuality(_ -> Priors.NONE, 10));
  }

  @Test
  void theSameSituationGivesTheSameProposalWhoeverIsAsked() {
    SyntheticLandscape world = new SyntheticLandscape(3);
    SamplingPolicy policy = new SurrogateSampling(3, Priors.NONE);
    world.play(policy, QUALITY, 30);

    assertThat(new SurrogateSampling(3, Priors.NONE).propose(world.situation(QUALITY)))
        .isEqualTo(policy.propose(world.situation(QUALITY)));
  }

  @Test
  void armsOfWhichOnlyTheIdIsKnownAreSampledAsWell() {
    SyntheticLandscape world = new SyntheticLandscape(3);
    SamplingPolicy policy = new SurrogateSampling(3, Priors.NONE);
    List<Arm> named = world.arms.stream().map(Arm::id).map(Arm::named).toList();
    Proposal first = policy.propose(world.situation(QUALITY, _ -> named));
    first.pulls().forEach(world::draw);

    assertThat(policy.propose(world.situation(QUALITY, _ -> named)).pulls())
        .hasSize(OperatorWave.WAVE);
    assertThat(
            policy.beliefs(world.situation(QUALITY, _ -> named)).get(SyntheticLandscape.OPERATOR))
        .hasSize(first.pulls().size());
  }

  @Test
  void boundsOfSeveralDimensionsAreWeighedTogether() {
    SyntheticLandscape world = new SyntheticLandscape(3);
    SamplingPolicy policy = new SurrogateSampling(3, Priors.NONE);
    String objective = "maximize quality subject to cost <= 0.005, latency <= 3s";
    world.play(policy, objective, 50);

    assertThat(
            policy.propose(world.situation(objective)).pulls().stream()
                .map(Pull::arm)
                .map(world::truth)
                .filter(mean -> mean.cost() > 0.01))
        .isEmpty();
  }

  @Test
  void anArmThatNeverAnsweredIsNeitherSampledAgainNorBelievedIn() {
    SyntheticLandscape world = new SyntheticLandscape(3);
    SamplingPolicy policy = new SurrogateSampling(3, Priors.NONE);
    List<Pull> first = policy.propose(world.situation(COST)).pulls();
    Arm broken = first.getFirst().arm();
    first.stream().skip(1).forEach(world::draw);
    world.put(first.getFirst(), Observation.Outcome.FAILED, 0, 0);

    assertThat(policy.propose(world.situation(COST)).pulls())
        .extracting(Pull::arm)
        .doesNotContain(broken);
    assertThat(policy.beliefs(world.situation(COST)).get(SyntheticLandscape.OPERATOR))
        .doesNotContainKey(broken);
  }

  @Test
  void anOperatorOfWhichNothingEverAnswersIsGivenUp() {
    SyntheticLandscape world = new SyntheticLandscape(3);
    SamplingPolicy policy = new SurrogateSampling(3, Priors.NONE);
    Proposal proposal = policy.propose(world.situation(QUALITY));
    for (int wave = 0; wave < 4 && !proposal.pulls().isEmpty(); wave++) {
      proposal.pulls().forEach(pull -> world.put(pull, Observation.Outcome.FAILED, 0, 0.001));
      proposal = policy.propose(world.situation(QUALITY));
    }

    assertThat(proposal.conclusions())
        .containsEntry(SyntheticLandscape.OPERATOR, Proposal.Conclusion.ALL_FAILED);
    assertThat(proposal.pulls()).isEmpty();
  }

  @Test
  void itEndsWhenEveryPairHasBeenSampled() {
    SyntheticLandscape world = new SyntheticLandscape(3);
    SamplingPolicy policy = new SurrogateSampling(3, Priors.NONE);
    List<Arm> two = world.arms.subList(0, 2);
    Proposal proposal = policy.propose(world.situation(QUALITY, _ -> two));
    while (!proposal.pulls().isEmpty()) {
      assertThat(proposal.pulls()).doesNotHaveDuplicates();
      proposal.pulls().forEach(world::draw);
      proposal = policy.propose(world.situation(QUALITY, _ -> two));
    }

    assertThat(world.drawn).isEqualTo(80);
    assertThat(proposal.conclusions())
        .containsEntry(SyntheticLandscape.OPERATOR, Proposal.Conclusion.EVERY_PAIR_SAMPLED);
  }

  @Test
  void wavesGrowWithTheSamplesSoThatALargeBudgetNeedsFewDecisions() {
    SyntheticLandscape world = new SyntheticLandscape(3);
    SamplingPolicy policy = new SurrogateSampling(3, Priors.NONE);
    world.drawAll(300);

    assertThat(policy.propose(world.situation(QUALITY)).pulls()).hasSize(15);
  }

  @Test
  void anOperatorHasSoManySamplesThatADecisionStillEnds() {
    SyntheticLandscape world = new SyntheticLandscape(3);
    SamplingPolicy policy = new SurrogateSampling(3, Priors.NONE);
    world.drawAll(OperatorWave.MOST);

    assertThat(policy.propose(world.situation(QUALITY)))
        .isEqualTo(
            new Proposal(
                List.of(),
                Map.of(SyntheticLandscape.OPERATOR, Proposal.Conclusion.DRAWN_AS_PLANNED)));
  }
}

package dev.abacus.optimizer.sampling.bandit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BanditSamplingTest {

  private static final String BOTH = "maximize quality subject to cost <= 1";

  private final BanditSampling sampler = Bandits.seeded(7);

  @Test
  void startsWithSixArmsOnTheSameFourExamples() {
    SamplingBench bench = new SamplingBench(20, 10, BanditSamplingTest::alike);

    List<Pull> pulls = sampler.propose(bench.situation()).pulls();

    assertThat(pulls).hasSize(24).doesNotHaveDuplicates();
    assertThat(pulls.stream().map(Pull::arm).distinct()).hasSize(6);
    assertThat(pulls.stream().map(Pull::exampleId).distinct())
        .containsExactly("e0", "e1", "e2", "e3");
  }

  @Test
  void givesOldArmsOneMoreExampleAndNewArmsFour() {
    // Five good arms and any number of bad ones, of which each frontier holds one at least.
    SamplingBench bench =
        new SamplingBench(
            7,
            10,
            pull ->
                SamplingBench.observed(
                    pull, SamplingBench.index(pull.arm()) == 0 ? 0.1 : 0.9, 0.1, 1));
    sampler.propose(bench.situation()).pulls().forEach(bench::answer);
    boolean badArmDrawn = bench.drawn(bench.arms().getFirst()) > 0;

    Map<Arm, Long> second =
        sampler.propose(bench.situation()).pulls().stream()
            .collect(Collectors.groupingBy(Pull::arm, Collectors.counting()));

    assertThat(second).doesNotContainKey(badArmDrawn ? bench.arms().getFirst() : absent());
    assertThat(second.values().stream().sorted().toList())
        .isEqualTo(badArmDrawn ? List.of(1L, 1L, 1L, 1L, 1L, 4L) : Collections.nCopies(6, 1L));
  }

  private static Arm absent() {
    return Arm.named("none");
  }

  @Test
  void asksForNothingTwiceAndNothingMoreWhileSamplesAreOut() {
    SamplingBench bench = new SamplingBench(20, 10, BanditSamplingTest::alike);
    List<Pull> pulls = sampler.propose(bench.situation()).pulls();
    pulls.stream().limit(20).forEach(bench::answer);
    pulls.stream().skip(20).forEach(pull -> bench.put(pull, new Sample.Outstanding()));

    Proposal proposal = sampler.propose(bench.situation());

    assertThat(proposal.pulls()).isEmpty();
    assertThat(proposal.conclusions()).isEmpty();
  }

  @Test
  void dominatedArmsLeaveAndParetoOptimalOnesStay() {
    // Arms 0 to 3 are a front: better and dearer. All others are worse than each of them.
    SamplingBench bench =
        new SamplingBench(
            12,
            40,
            pull -> {
              int arm = SamplingBench.index(pull.arm());
              return arm < 4
                  ? SamplingBench.observed(pull, 0.6 + 0.1 * arm, 0.1 + 0.1 * arm, 1)
                  : SamplingBench.observed(pull, 0.1 - 0.005 * arm, 0.9 + 0.005 * arm, 1);
            });

    bench.play(sampler, BOTH, 400);

    for (Arm arm : bench.arms()) {
      if (SamplingBench.index(arm) < 4) {
        assertThat(bench.drawn(arm)).as(arm.id()).isGreaterThan(20);
      } else {
        assertThat(bench.drawn(arm)).as(arm.id()).isLessThan(15);
      }
    }
  }

  @Test
  void anArmThatIsNoWorseOnOneMetricStays() {
    // Dear and bad is dominated by mean, but equal in cost: bounds overlap there.
    SamplingBench bench =
        new SamplingBench(
            2,
            30,
            pull ->
                SamplingBench.observed(pull, 0.1 + 0.8 * SamplingBench.index(pull.arm()), 0.5, 1));

    bench.play(sampler, BOTH, 1000);

    assertThat(bench.drawn()).isEqualTo(60);
  }

  @Test
  void metricsThatTheObjectiveDoesNotNameDoNotKeepAnArm() {
    SamplingBench bench =
        new SamplingBench(
            7,
            30,
            pull -> {
              int arm = SamplingBench.index(pull.arm());
              return SamplingBench.observed(pull, 0.1 + 0.1 * arm, 0.1 * (arm + 1), 1);
            });

    bench.play(sampler, "minimize cost", 1000);

    assertThat(bench.drawn(bench.arms().getLast())).isLessThan(10);
    assertThat(bench.drawn(bench.arms().getFirst())).isGreaterThan(10);
  }

  @Test
  void armsWithEveryExampleGiveTheirPlacesToOthers() {
    SamplingBench bench = new SamplingBench(20, 5, BanditSamplingTest::alike);
    int samples = 0;
    List<Pull> pulls = sampler.propose(bench.situation()).pulls();
    while (!pulls.isEmpty()) {
      pulls.forEach(bench::answer);
      samples += pulls.size();
      pulls = sampler.propose(bench.situation()).pulls();
    }

    assertThat(samples).isEqualTo(20 * 5);
    assertThat(sampler.propose(bench.situation()).conclusions())
        .containsValue(Proposal.Conclusion.EVERY_PAIR_SAMPLED);
  }

  @Test
  void withoutExamplesOrArmsThereIsNothingToDraw() {
    assertThat(sampler.propose(new SamplingBench(5, 0, BanditSamplingTest::alike).situation()))
        .isEqualTo(new Proposal(List.of(), Map.of(SamplingBench.OPERATOR, Conclusion.NO_EXAMPLE)));
    assertThat(sampler.propose(new SamplingBench(0, 5, BanditSamplingTest::alike).situation()))
        .isEqualTo(
            new Proposal(List.of(), Map.of(SamplingBench.OPERATOR, Conclusion.NO_IMPLEMENTATION)));
  }

  @Test
  void aSingleArmIsMeasuredAndThenLeftAlone() {
    SamplingBench bench = new SamplingBench(1, 30, BanditSamplingTest::alike);

    Proposal end = bench.play(sampler, BOTH, 1000);

    assertThat(end.conclusions()).containsEntry(SamplingBench.OPERATOR, Conclusion.ONE_LEFT);
    assertThat(bench.drawn()).isEqualTo(4);
  }

  @Test
  void anOperatorOfWhichNothingEverAnswersIsGivenUp() {
    SamplingBench bench = new SamplingBench(1000, 30, SamplingBench::failed);

    Proposal end = bench.play(sampler, "minimize cost", 100_000);

    assertThat(end.conclusions()).containsEntry(SamplingBench.OPERATOR, Conclusion.ALL_FAILED);
    assertThat(bench.drawn()).isEqualTo(2 * 6 * 4);
  }

  @Test
  void anArmThatFailsCheaplyDoesNotDriveOthersOut() {
    SamplingBench bench =
        new SamplingBench(
            4,
            30,
            pull ->
                SamplingBench.index(pull.arm()) == 0
                    ? SamplingBench.failed(pull)
                    : SamplingBench.observed(pull, 0.5, SamplingBench.index(pull.arm()), 1));

    bench.play(sampler, "minimize cost", 1000);

    assertThat(bench.drawn(bench.arms().getFirst())).isEqualTo(4);
    assertThat(bench.drawn(bench.arms().get(1))).isGreaterThan(4);
  }

  @Test
  void terminatesWhateverArmsDo() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      int arms = random.nextInt(25);
      int examples = random.nextInt(12);
      SamplingBench bench = new SamplingBench(arms, examples, pull -> anything(random, pull));
      SamplingPolicy policy =
          new BanditSampling(Reservoir.seeded(seed), 1 + random.nextInt(8), 1 + random.nextInt(6));
      String objective =
          List.of(
                  "maximize quality",
                  "minimize cost",
                  BOTH,
                  "minimize latency subject to quality >= 0.5")
              .get(random.nextInt(4));

      Proposal proposal = policy.propose(bench.situation(objective));
      Set<Pull> asked = new HashSet<>();
      while (!proposal.pulls().isEmpty()) {
        // One pull at a time or many, in any order; each is new, so this ends.
        List<Pull> some = new ArrayList<>(proposal.pulls());
        Collections.shuffle(some, random);
        for (Pull pull : some.subList(0, 1 + random.nextInt(some.size()))) {
          assertThat(asked.add(pull)).as("asked once").isTrue();
          bench.answer(pull);
        }
        proposal = policy.propose(bench.situation(objective));
      }

      assertThat(proposal.conclusions()).as("seed %d", seed).containsKey(SamplingBench.OPERATOR);
      assertThat(asked.size()).isLessThanOrEqualTo(arms * examples);
    }
  }

  private static Sample anything(Random random, Pull pull) {
    return switch (random.nextInt(10)) {
      case 0, 1 -> SamplingBench.failed(pull);
      case 2 -> SamplingBench.unscored(pull);
      case 3 -> new Sample.Lost();
      default ->
          SamplingBench.observed(
              pull, random.nextInt(3) / 2.0, random.nextInt(3), random.nextDouble());
    };
  }

  @Test
  void theOrderInWhichSamplesComeBackDoesNotMatter() {
    SamplingBench inOrder = new SamplingBench(30, 10, BanditSamplingTest::byHash);
    SamplingBench reversed = new SamplingBench(30, 10, BanditSamplingTest::byHash);
    for (int round = 0; round < 8; round++) {
      List<Pull> pulls = sampler.propose(inOrder.situation(BOTH)).pulls();
      assertThat(sampler.propose(reversed.situation(BOTH)).pulls()).isEqualTo(pulls);
      pulls.forEach(inOrder::answer);
      pulls.reversed().forEach(reversed::answer);
    }
  }

  @Test
  void seedsDifferInWhatTheyStartWith() {
    SamplingBench bench = new SamplingBench(200, 10, BanditSamplingTest::alike);

    assertThat(Bandits.seeded(1).propose(bench.situation()))
        .isEqualTo(Bandits.seeded(1).propose(bench.situation()))
        .isNotEqualTo(Bandits.seeded(2).propose(bench.situation()));
  }

  @Test
  void refusesSenselessParameters() {
    assertThatThrownBy(() -> new BanditSampling(Reservoir.seeded(1), 0, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 1");
  }

  private static Sample alike(Pull pull) {
    return SamplingBench.observed(pull, 0.5, 0.1, 1);
  }

  private static Sample byHash(Pull pull) {
    Random random = new Random(pull.hashCode());
    return SamplingBench.observed(
        pull, random.nextDouble(), random.nextDouble(), random.nextDouble());
  }
}

package dev.abacus.optimizer.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.search.cost.Priors;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers rely on, for every registered policy. */
class SamplingPolicyContractTest {

  private static final String QUALITY = "maximize quality";
  private static final int ARMS = 12;
  private static final int EXAMPLES = 6;

  private static SamplingPolicy policy(PolicyName name) {
    return name.create(3, 30, Priors.NONE);
  }

  private static SamplingBench bench() {
    return new SamplingBench(
        ARMS,
        EXAMPLES,
        pull ->
            SamplingBench.observed(pull, SamplingBench.index(pull.arm()) / (double) ARMS, 0.01, 1));
  }

  @ParameterizedTest
  @EnumSource
  void theSameStateGivesTheSameProposal(PolicyName name) {
    SamplingBench bench = bench();
    SamplingPolicy policy = policy(name);
    Proposal first = policy.propose(bench.situation(QUALITY));
    first.pulls().forEach(bench::answer);
    Proposal second = policy.propose(bench.situation(QUALITY));

    assertThat(policy(name).propose(bench.situation(QUALITY))).isEqualTo(second);
    assertThat(policy.propose(bench.situation(QUALITY))).isEqualTo(second);
  }

  @ParameterizedTest
  @EnumSource
  void noPullIsRequestedTwiceAndTheSearchEnds(PolicyName name) {
    SamplingBench bench = bench();
    SamplingPolicy policy = policy(name);
    Set<Pull> requested = new HashSet<>();
    Proposal proposal = policy.propose(bench.situation(QUALITY));
    while (!proposal.pulls().isEmpty()) {
      proposal.pulls().forEach(pull -> assertThat(requested.add(pull)).isTrue());
      proposal.pulls().forEach(bench::answer);
      proposal = policy.propose(bench.situation(QUALITY));
    }

    assertThat(proposal.conclusions()).containsOnlyKeys(SamplingBench.OPERATOR);
    assertThat(requested).hasSizeLessThanOrEqualTo(ARMS * EXAMPLES);
  }

  /** Arms that always fail keep room, and none of the first arms may get an answer. */
  @ParameterizedTest
  @EnumSource
  void theSearchEndsWithAConclusionIfSamplesFailOrAreLost(PolicyName name) {
    for (int failing = 0; failing <= ARMS; failing++) {
      int failed = failing;
      for (Function<Pull, Sample> otherwise :
          List.<Function<Pull, Sample>>of(
              _ -> new Sample.Lost(), pull -> SamplingBench.observed(pull, 0.5, 0.01, 1))) {
        SamplingBench bench =
            new SamplingBench(
                ARMS,
                2,
                pull ->
                    SamplingBench.index(pull.arm()) < failed
                        ? SamplingBench.failed(pull)
                        : otherwise.apply(pull));

        Proposal last = bench.play(policy(name), QUALITY, ARMS * 2);

        assertThat(last.pulls()).isEmpty();
        assertThat(last.conclusions()).containsOnlyKeys(SamplingBench.OPERATOR);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsRequestedAgainWhileSamplesAreOutstanding(PolicyName name) {
    SamplingBench bench = bench();
    SamplingPolicy policy = policy(name);
    Proposal first = policy.propose(bench.situation(QUALITY));
    first.pulls().forEach(pull -> bench.put(pull, new Sample.Outstanding()));

    assertThat(policy.propose(bench.situation(QUALITY)).pulls())
        .doesNotContainAnyElementsOf(first.pulls());
  }

  @ParameterizedTest
  @EnumSource
  void onlyArmsWithAnAnswerHaveABelief(PolicyName name) {
    SamplingBench bench = bench();
    SamplingPolicy policy = policy(name);
    Proposal first = policy.propose(bench.situation(QUALITY));
    first.pulls().forEach(bench::answer);

    Map<Arm, ?> beliefs =
        policy.beliefs(bench.situation(QUALITY)).getOrDefault(SamplingBench.OPERATOR, Map.of());
    Set<Arm> sampled = new HashSet<>();
    first.pulls().forEach(pull -> sampled.add(pull.arm()));
    assertThat(beliefs.keySet()).isEqualTo(sampled);
  }

  @ParameterizedTest
  @EnumSource
  void anOperatorWithoutImplementationOrExampleIsConcluded(PolicyName name) {
    SamplingPolicy policy = policy(name);

    assertThat(
            policy
                .propose(new SamplingBench(0, 3, _ -> new Sample.Lost()).situation(QUALITY))
                .conclusions())
        .containsValue(Proposal.Conclusion.NO_IMPLEMENTATION);
    assertThat(
            policy
                .propose(new SamplingBench(3, 0, _ -> new Sample.Lost()).situation(QUALITY))
                .conclusions())
        .containsValue(Proposal.Conclusion.NO_EXAMPLE);
  }
}

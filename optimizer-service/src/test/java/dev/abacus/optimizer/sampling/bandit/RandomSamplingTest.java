package dev.abacus.optimizer.sampling.bandit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.sampling.bandit.Proposal.Conclusion;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomSamplingTest {

  private final SamplingPolicy policy = new RandomSampling(Reservoir.seeded(3), 5, 50);

  @Test
  void drawsKArmsOnTenExamplesEachAndStops() {
    Bench bench = new Bench(40, 30, pull -> Bench.observed(pull, 0.5, 0.1, 1));

    List<Pull> pulls = policy.propose(bench.situation()).pulls();
    assertThat(pulls).hasSize(50).doesNotHaveDuplicates();
    assertThat(pulls.stream().map(Pull::arm).distinct()).hasSize(5);
    pulls.forEach(bench::answer);

    Proposal end = policy.propose(bench.situation());
    assertThat(end.pulls()).isEmpty();
    assertThat(end.conclusions()).containsEntry(Bench.OPERATOR, Conclusion.DRAWN_AS_PLANNED);
  }

  @Test
  void fewerExamplesGiveFewerSamples() {
    Bench bench = new Bench(40, 3, pull -> Bench.observed(pull, 0.5, 0.1, 1));

    assertThat(policy.propose(bench.situation()).pulls()).hasSize(15);
  }

  @Test
  void waitsForSamplesThatAreOut() {
    Bench bench = new Bench(40, 30, pull -> new Sample.Outstanding());
    policy.propose(bench.situation()).pulls().forEach(bench::answer);

    assertThat(policy.propose(bench.situation()))
        .isEqualTo(new Proposal(List.of(), java.util.Map.of()));
  }
}

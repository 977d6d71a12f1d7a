package dev.abacus.optimizer.sampling.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomSamplingTest {

  private final SamplingPolicy policy = new RandomSampling(Reservoir.seeded(3), 5, 50);

  @Test
  void drawsKArmsOnTenExamplesEachAndStops() {
    SamplingBench bench =
        new SamplingBench(40, 30, pull -> SamplingBench.observed(pull, 0.5, 0.1, 1));

    List<Pull> pulls = policy.propose(bench.situation()).pulls();
    assertThat(pulls).hasSize(50).doesNotHaveDuplicates();
    assertThat(pulls.stream().map(Pull::arm).distinct()).hasSize(5);
    pulls.forEach(bench::answer);

    Proposal end = policy.propose(bench.situation());
    assertThat(end.pulls()).isEmpty();
    assertThat(end.conclusions())
        .containsEntry(SamplingBench.OPERATOR, Conclusion.DRAWN_AS_PLANNED);
  }

  @Test
  void fewerExamplesGiveFewerSamples() {
    SamplingBench bench =
        new SamplingBench(40, 3, pull -> SamplingBench.observed(pull, 0.5, 0.1, 1));

    assertThat(policy.propose(bench.situation()).pulls()).hasSize(15);
  }

  @Test
  void waitsForSamplesThatAreOut() {
    SamplingBench bench = new SamplingBench(40, 30, pull -> new Sample.Outstanding());
    policy.propose(bench.situation()).pulls().forEach(bench::answer);

    assertThat(policy.propose(bench.situation()))
        .isEqualTo(new Proposal(List.of(), java.util.Map.of()));
  }
}

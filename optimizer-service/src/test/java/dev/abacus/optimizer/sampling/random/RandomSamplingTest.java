package dev.abacus.optimizer.sampling.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.estimate.Estimator.ScoreVariance;
import dev.abacus.optimizer.estimate.LiveAmounts;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.Readings;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

  @Test
  void theErrorOfTheJudgesLiveMeanIsOneOfTheQuality() {
    SamplingBench bench =
        new SamplingBench(1, 10, pull -> SamplingBench.observed(pull, 0.5, 0.1, 1));
    policy.propose(bench.situation()).pulls().forEach(bench::answer);

    SamplingState state =
        bench
            .situation()
            .map(operator -> operator.withReadings(new WithLiveMean(operator.readings())));

    assertThat(policy.beliefs(state).getOrDefault(SamplingBench.OPERATOR, Map.of()).values())
        .singleElement()
        .satisfies(belief -> assertThat(belief.quality().deviation()).isCloseTo(0.1, within(1e-9)));
  }

  /** Readings whose live documents differ in the judge's mean score alone. */
  private record WithLiveMean(Readings samples) implements Readings {

    @Override
    public List<Measurement> of(String implementation) {
      return samples.of(implementation);
    }

    @Override
    public @Nullable ScoreVariance scoreVariance() {
      return samples.scoreVariance();
    }

    @Override
    public LiveAmounts live(String implementation) {
      return new LiveAmounts(
          LiveAmounts.SAME.stored(), 1, Loadings.own(0.1), Loadings.NONE, Loadings.NONE);
    }

    @Override
    public double tierPrice(String implementation) {
      return samples.tierPrice(implementation);
    }

    @Override
    public Readings without(Collection<String> examples) {
      return new WithLiveMean(samples.without(examples));
    }
  }
}

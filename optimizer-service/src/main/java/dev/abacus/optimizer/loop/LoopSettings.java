package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.sampling.prior.PriorSource;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What the loops of all programs share.
 *
 * @param seed shuffles validation examples; with the same seed the same events give the same plans
 * @param policy which samples to draw, given what is believed before the first
 * @param priors where beliefs come from where a user gives none, the most trusted first
 * @param search how plans are found from estimates
 * @param searchSpace the implementations of every operator of a program, by operator id
 * @param fullSamples samples after which an implementation's means are trusted before the search is
 *     over: j of the paper
 * @param patience how long a sample may stay out after the last one came back before it is given up
 * @param catalogue prices of models
 * @param pipelined whether operators are sampled side by side; false samples each when those before
 *     it are done, as the paper does
 */
public record LoopSettings(
    long seed,
    Function<Priors, SamplingPolicy> policy,
    List<PriorSource> priors,
    SearchOptions search,
    Function<Program, Map<String, List<PhysicalOperator>>> searchSpace,
    int fullSamples,
    Duration patience,
    ModelCatalogue catalogue,
    boolean pipelined) {

  /** How long a sample may stay out where nothing else is said. */
  public static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(10);

  public LoopSettings {
    priors = List.copyOf(priors);
    if (fullSamples < 1) {
      throw new IllegalArgumentException("fullSamples " + fullSamples + " must be at least 1");
    }
    if (!patience.isPositive()) {
      throw new IllegalArgumentException("patience " + patience + " must be above 0");
    }
  }

  /** These settings, but operators are sampled one after the other. */
  public LoopSettings sequential() {
    return new LoopSettings(
        seed, policy, priors, search, searchSpace, fullSamples, patience, catalogue, false);
  }

  /** These settings, with beliefs from there. */
  public LoopSettings believing(List<PriorSource> sources) {
    return new LoopSettings(
        seed, policy, sources, search, searchSpace, fullSamples, patience, catalogue, pipelined);
  }

  /** These settings, with samples drawn by another policy. */
  public LoopSettings sampledBy(Function<Priors, SamplingPolicy> other) {
    return new LoopSettings(
        seed, other, priors, search, searchSpace, fullSamples, patience, catalogue, pipelined);
  }

  /** The paper's algorithm with its parameters k and j. */
  public static LoopSettings paper(
      long seed,
      int frontierSize,
      int newArmExamples,
      SearchOptions search,
      Function<Program, Map<String, List<PhysicalOperator>>> searchSpace,
      ModelCatalogue catalogue) {
    return new LoopSettings(
        seed,
        priors ->
            new BanditSampling(
                priors.byOperator().isEmpty()
                    ? Reservoir.seeded(seed)
                    : Reservoir.believing(priors, seed),
                frontierSize,
                newArmExamples),
        List.of(),
        search,
        searchSpace,
        newArmExamples,
        DEFAULT_PATIENCE,
        catalogue,
        true);
  }
}

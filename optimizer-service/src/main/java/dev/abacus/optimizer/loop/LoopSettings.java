package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.estimate.EvidenceSource;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.sampling.prior.PriorSource;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Program;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Settings of {@link OptimizerLoop}, the same for all programs.
 *
 * @param seed shuffles the validation examples; the same seed and events give the same plans
 * @param policy creates the sampling policy from the priors in force
 * @param priors sources of priors for programs whose user gives none, the preferred source first
 * @param search options of the plan search
 * @param searchSpace the implementations of each semantic operator of a program, by operator id
 * @param fullSamples samples (at least 1) after which an implementation may be chosen while
 *     sampling is in progress; j of the paper
 * @param patience how long the loop waits for a sample after the last observation before it gives
 *     the sample up; positive
 * @param catalogue prices of models, for a budget in dollars
 * @param pipelined whether all operators are sampled in the same waves; if false, an operator is
 *     sampled after those upstream of it are done, as in the paper
 * @param confirmation which part of the budget is spent on running the best plans end to end; the
 *     paper does not do this
 * @param evidence kinds of evidence beside samples and runs of plans
 * @param validationTopic the topic of a program's examples, for messages
 */
@RecordBuilder
public record LoopSettings(
    long seed,
    Function<Priors, SamplingPolicy> policy,
    List<PriorSource> priors,
    SearchOptions search,
    Function<Program, Map<String, List<PhysicalOperator>>> searchSpace,
    int fullSamples,
    Duration patience,
    ModelCatalogue catalogue,
    boolean pipelined,
    Confirmation confirmation,
    List<EvidenceSource> evidence,
    Function<Program, String> validationTopic) {

  /** The default of {@link #patience}. */
  public static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(10);

  public LoopSettings {
    priors = List.copyOf(priors);
    evidence = List.copyOf(evidence);
    if (fullSamples < 1) {
      throw new IllegalArgumentException("fullSamples " + fullSamples + " must be at least 1");
    }
    if (!patience.isPositive()) {
      throw new IllegalArgumentException("patience " + patience + " must be above 0");
    }
  }

  /**
   * Settings with the defaults: no priors, pipelined, the best plans confirmed, the paper's j.
   *
   * @param searchSpace the implementations of each semantic operator of a program, by operator id
   */
  public static LoopSettingsBuilder builder(
      long seed,
      Function<Priors, SamplingPolicy> policy,
      Function<Program, Map<String, List<PhysicalOperator>>> searchSpace,
      ModelCatalogue catalogue) {
    return new LoopSettings(
            seed,
            policy,
            List.of(),
            SearchOptions.DEFAULT,
            searchSpace,
            BanditSampling.NEW_ARM_EXAMPLES,
            DEFAULT_PATIENCE,
            catalogue,
            true,
            Confirmation.DEFAULT,
            List.of(),
            program -> program.validation().topic())
        .toBuilder();
  }

  /** A builder that starts with these settings. */
  public LoopSettingsBuilder toBuilder() {
    return LoopSettingsBuilder.builder(this);
  }
}

package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.sampling.random.RandomSampling;
import dev.abacus.optimizer.search.cascades.Algorithm;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.optimizer.search.rule.implementation.SearchSpace;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Configuration of a search.
 *
 * @param models chat models of the physical operators
 * @param samples samples per semantic operator
 */
record SearchSetup(
    PolicyName policy,
    Algorithm algorithm,
    Objective objective,
    PriorKind priors,
    List<String> models,
    int samples) {

  /** The kinds of priors that the paper compares (section 4.4). */
  enum PriorKind {
    NONE,
    NAIVE,
    SAMPLED;

    String label() {
      return this == NONE ? "no priors" : name().toLowerCase(Locale.ROOT) + " priors";
    }
  }

  SearchSetup {
    models = List.copyOf(models);
  }

  /** Returns the configuration that maximizes quality without bounds and priors. */
  static SearchSetup of(PolicyName policy, List<String> models, int samples) {
    return new SearchSetup(
        policy, Algorithm.PARETO, Objective.MAXIMIZE_QUALITY, PriorKind.NONE, models, samples);
  }

  SearchSetup with(Objective other) {
    return new SearchSetup(policy, algorithm, other, priors, models, samples);
  }

  SearchSetup with(PriorKind other) {
    return new SearchSetup(policy, algorithm, objective, other, models, samples);
  }

  SearchSetup with(Algorithm other) {
    return new SearchSetup(policy, other, objective, priors, models, samples);
  }

  /** Returns the program with the objective, budget and models of this configuration. */
  Program program(Program program) {
    int operators = program.semanticOperators().size();
    Program own =
        program
            .withObjective(objective)
            .withBudget(new SampleBudget.Invocations(samples * operators), null);
    return own.withSettings(own.settings().withModels(own.settings().models().withAllowed(models)));
  }

  /** Returns the physical operators that the paper's rules generate, by logical operator id. */
  static Map<String, List<PhysicalOperator>> space(Program program, ModelCatalogue catalogue) {
    SearchSpace space = SearchSpace.of(program, catalogue, List.of(BenchmarkDataPlane.EMBEDDER));
    Map<String, List<PhysicalOperator>> ofPaper = new LinkedHashMap<>();
    program
        .operators()
        .forEach(operator -> ofPaper.put(operator.id(), space.ofPaper(operator.id())));
    return ofPaper;
  }

  LoopSettings settings(long seed, ModelCatalogue catalogue, Priors believed) {
    return LoopSettings.builder(
            seed,
            _ -> samplingPolicy(seed, believed),
            program -> space(program, catalogue),
            catalogue)
        .search(SearchOptions.DEFAULT.withAlgorithm(algorithm))
        // As in the paper: no example is held back.
        .confirmation(Confirmation.NONE)
        .build();
  }

  /**
   * With priors, random sampling samples the operators with the best priors, which are also the
   * bandit's initial frontier.
   */
  private SamplingPolicy samplingPolicy(long seed, Priors believed) {
    return policy == PolicyName.RANDOM && !believed.byOperator().isEmpty()
        ? new RandomSampling(
            Reservoir.believing(believed, seed), BanditSampling.FRONTIER_SIZE, samples)
        : policy.create(seed, samples, believed);
  }
}

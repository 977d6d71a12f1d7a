package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.api.SearchSpace;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Configuration of a search with the model of the paper's tables.
 *
 * @param samples samples per semantic operator
 */
record SearchSetup(PolicyName policy, Objective objective, int samples) {

  private static final List<String> MODELS = List.of("gpt-4o-mini");

  /** Returns the program with the objective, budget and model of this configuration. */
  Program program(Program program) {
    int operators = program.semanticOperators().size();
    Program own =
        program
            .withObjective(objective)
            .withBudget(new SampleBudget.Invocations(samples * operators), null);
    return own.withSettings(own.settings().withModels(own.settings().models().withAllowed(MODELS)));
  }

  /** Returns the physical operators that the paper's rules generate, by logical operator id. */
  private static Map<String, List<PhysicalOperator>> space(
      Program program, ModelCatalogue catalogue) {
    SearchSpace space = SearchSpace.of(program, catalogue, List.of(BenchmarkDataPlane.EMBEDDER));
    Map<String, List<PhysicalOperator>> ofPaper = new LinkedHashMap<>();
    program
        .operators()
        .forEach(operator -> ofPaper.put(operator.id(), space.ofPaper(operator.id())));
    return ofPaper;
  }

  LoopSettings settings(long seed, ModelCatalogue catalogue) {
    return LoopSettings.builder(
            seed,
            _ -> policy.create(seed, samples, Priors.NONE),
            program -> space(program, catalogue),
            catalogue)
        // As in the paper: no example is held back.
        .confirmation(Confirmation.NONE)
        .build();
  }
}

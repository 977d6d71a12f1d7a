package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Settings of the paper's algorithm. */
public final class PaperSettings {

  private PaperSettings() {}

  /** The paper's algorithm with its parameters k ({@code frontierSize}) and j. */
  public static LoopSettings of(
      long seed,
      int frontierSize,
      int newArmExamples,
      SearchOptions search,
      Function<Program, Map<String, List<PhysicalOperator>>> searchSpace,
      ModelCatalogue catalogue) {
    return LoopSettings.builder(
            seed,
            priors ->
                new BanditSampling(
                    priors.byOperator().isEmpty()
                        ? Reservoir.seeded(seed)
                        : Reservoir.believing(priors, seed),
                    frontierSize,
                    newArmExamples),
            searchSpace,
            catalogue)
        .search(search)
        .fullSamples(newArmExamples)
        .confirmation(Confirmation.NONE)
        .build();
  }
}

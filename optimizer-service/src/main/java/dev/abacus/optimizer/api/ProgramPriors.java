package dev.abacus.optimizer.api;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.sampling.prior.NaivePriors;
import dev.abacus.optimizer.sampling.prior.TransferredPriors;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.optimizer.search.cost.PriorsReader;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes, checks and writes prior beliefs about the implementations of a program's operators. */
public final class ProgramPriors {

  private final Priors priors;

  private ProgramPriors(Priors priors) {
    this.priors = priors;
  }

  /** Naive priors from the published data of models in the catalogue (paper, section 4.4). */
  public static ProgramPriors naive(Program program, ModelCatalogue catalogue) {
    return new ProgramPriors(NaivePriors.of(space(program, catalogue), catalogue));
  }

  /** Priors from what the searches for other programs have learned. */
  public static ProgramPriors learned(
      Program program, ModelCatalogue catalogue, LearnedOperators learned) {
    Map<String, String> kinds = new TreeMap<>();
    program.semanticOperators().forEach(operator -> kinds.put(operator.id(), operator.kind()));
    return new ProgramPriors(
        TransferredPriors.of(space(program, catalogue), kinds, learned.beside(program.name())));
  }

  /** The means of observations; implementations whose samples all failed are left out. */
  public static ProgramPriors ofSamples(
      Program program, ModelCatalogue catalogue, Collection<Observation> observations) {
    Map<String, List<PhysicalOperator>> space = space(program, catalogue);
    Map<String, Observation> byTask = new TreeMap<>();
    observations.forEach(observation -> byTask.putIfAbsent(observation.taskId(), observation));
    return new ProgramPriors(
        Priors.of(space, operator -> arm -> mean(operator, arm, byTask.values())));
  }

  private static @Nullable OperatorEstimate mean(
      String operator, PhysicalOperator arm, Collection<Observation> observations) {
    List<Measurement> measured =
        observations.stream()
            .filter(seen -> seen.operator().equals(operator) && seen.physical().equals(arm.id()))
            .map(Measurement::of)
            .toList();
    ArmStatistics known = measured.isEmpty() ? null : ArmStatistics.of(measured);
    return known == null || known.alwaysFailed() ? null : known.estimate();
  }

  /**
   * Checks the text of a priors file for a program.
   *
   * @return {@code operator.implementation} of unknown implementations; the optimizer ignores them
   * @throws IllegalArgumentException if the text is invalid; the message names key and reason
   */
  public static List<String> check(String json, Program program, ModelCatalogue catalogue) {
    return PriorsReader.read(json, space(program, catalogue)).unknown();
  }

  /**
   * Checks the text of a priors file without its program.
   *
   * @throws IllegalArgumentException if the text is invalid; the message names key and reason
   */
  public static void check(String json) {
    PriorsReader.check(json);
  }

  private static Map<String, List<PhysicalOperator>> space(
      Program program, ModelCatalogue catalogue) {
    SearchSpace all = SearchSpace.of(program, catalogue);
    Map<String, List<PhysicalOperator>> semantic = new LinkedHashMap<>();
    for (LogicalOperator operator : program.semanticOperators()) {
      semantic.put(operator.id(), all.of(operator.id()));
    }
    return semantic;
  }

  /** Whether no implementation has a prior. */
  public boolean isEmpty() {
    return priors.byOperator().isEmpty();
  }

  /** Number of implementations with a prior, by operator id. */
  public Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    priors.byOperator().forEach((operator, byId) -> counts.put(operator, byId.size()));
    return counts;
  }

  /** The text of a priors file. */
  public String json() {
    return new String(Json.write(priors.byOperator()), StandardCharsets.UTF_8);
  }
}

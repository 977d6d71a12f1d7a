package dev.abacus.deploy.cli.option;

import dev.abacus.optimizer.sampling.prior.NaivePriors;
import dev.abacus.optimizer.search.cost.ArmStatistics;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.optimizer.search.cost.PriorsReader;
import dev.abacus.optimizer.search.cost.Statistics;
import dev.abacus.optimizer.search.rule.implementation.SearchSpace;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Priors of a program: made, read and written. */
public final class PriorsFile {

  /** What {@code --priors} takes besides files. */
  static final String NAIVE = "naive";

  public static final String NONE = "none";

  private PriorsFile() {}

  /** The implementations of a program's semantic operators, by operator id. */
  public static Map<String, List<PhysicalOperator>> space(
      Program program, ModelCatalogue catalogue) {
    Map<String, List<PhysicalOperator>> all = SearchSpace.of(program, catalogue).union();
    Map<String, List<PhysicalOperator>> semantic = new LinkedHashMap<>();
    for (LogicalOperator operator : program.semanticOperators()) {
      semantic.put(operator.id(), all.getOrDefault(operator.id(), List.of()));
    }
    return semantic;
  }

  /**
   * The text of a priors file that fits the program.
   *
   * @throws CommandFailure if anything is wrong with it, by key and reason
   */
  public static String read(Path file, Program program, ModelCatalogue catalogue, Output output) {
    Map<String, List<String>> ids = new LinkedHashMap<>();
    space(program, catalogue)
        .forEach((operator, implementations) ->
            ids.put(operator, implementations.stream().map(PhysicalOperator::id).toList()));
    String text = ProgramOptions.text(file);
    try {
      List<String> unknown = PriorsReader.read(text, ids).unknown();
      if (!unknown.isEmpty()) {
        output.note(
            "%s: %d implementations that there are not are left out, %s among them"
                .formatted(file, unknown.size(), unknown.getFirst()));
      }
      return text;
    } catch (IllegalArgumentException e) {
      throw CommandFailure.invalid(
          "%s: %s".formatted(file, e.getMessage()),
          "Correct the file; `abacus priors` writes one for a program.");
    }
  }

  /** As text: a file, or what {@code naive} makes for the program. */
  public static String resolve(
      String source, Program program, ModelCatalogue catalogue, Output output) {
    return source.equals(NAIVE)
        ? text(NaivePriors.of(space(program, catalogue), catalogue))
        : read(Path.of(source), program, catalogue, output);
  }

  /** The means of observations, of those implementations that gave an answer. */
  public static Priors ofSamples(
      Map<String, List<PhysicalOperator>> space, Collection<Observation> observations) {
    Statistics statistics = new Statistics(space);
    observations.forEach(statistics::add);
    Map<String, Map<String, OperatorEstimate>> priors = new TreeMap<>();
    space
        .keySet()
        .forEach(operator -> {
          Map<String, OperatorEstimate> ofOperator = new TreeMap<>();
          statistics
              .of(operator)
              .forEach((physical, known) -> {
                OperatorEstimate estimate = answered(known) ? known.estimate() : null;
                if (estimate != null) {
                  ofOperator.put(physical.id(), estimate);
                }
              });
          if (!ofOperator.isEmpty()) {
            priors.put(operator, ofOperator);
          }
        });
    return new Priors(priors);
  }

  private static boolean answered(ArmStatistics known) {
    return known.failures() < known.samples();
  }

  /** The form of a priors file. */
  public static String text(Priors priors) {
    return new String(Json.write(priors.byOperator()), StandardCharsets.UTF_8);
  }
}

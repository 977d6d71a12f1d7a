package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What is tried, and in which world.
 *
 * @param landscapes of the operators of a chain, the first upstream of all
 * @param program the chain as a program; with a horizon, a search ends when no further sample is
 *     worth its price
 * @param budget of every operator in invocations, or of the whole search in dollars
 * @param examples how many validation examples there are
 * @param confirmation how the best plans are measured before one is chosen
 */
record ExperimentSettings(
    List<Landscape> landscapes,
    Program program,
    Objective objective,
    SampleBudget budget,
    Noise noise,
    int examples,
    Confirmation confirmation) {

  ExperimentSettings {
    landscapes = List.copyOf(landscapes);
    if (examples < 1) {
      throw new IllegalArgumentException("examples " + examples + " must be at least 1");
    }
  }

  /** The same with another budget and confirmation. */
  ExperimentSettings with(SampleBudget other, Confirmation measured) {
    return new ExperimentSettings(landscapes, program, objective, other, noise, examples, measured);
  }

  /** The program with the budget of the whole search. */
  Program budgetedProgram() {
    SampleBudget total =
        switch (budget) {
          case SampleBudget.Invocations(int samples) ->
              new SampleBudget.Invocations(samples * landscapes.size());
          case SampleBudget.Dollars dollars -> dollars;
          case SampleBudget.Tokens tokens -> tokens;
        };
    return program.withBudget(total, null);
  }

  /** The landscape of an operator of the program. */
  Landscape landscape(String operator) {
    return landscapes.stream()
        .filter(landscape -> landscape.operator().equals(operator))
        .findFirst()
        .orElseThrow();
  }

  /** The validation examples of a search, without labels. */
  List<ValidationExample> validationExamples() {
    String source = program.sources().getFirst().name();
    return IntStream.range(0, examples)
        .mapToObj("e%04d"::formatted)
        .map(id ->
            new ValidationExample(
                id,
                source,
                Document.of(JsonNodeFactory.instance.objectNode().put("text", id)),
                Map.of()))
        .toList();
  }
}

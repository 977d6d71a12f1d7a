package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.List;

/**
 * What is tried, and in which world.
 *
 * @param landscapes of the operators of a chain, the first upstream of all
 * @param program the chain as a program
 * @param budget of every operator in invocations, or of the whole search in dollars
 * @param examples how many validation examples there are
 */
record ExperimentSettings(
    List<Landscape> landscapes,
    Program program,
    Objective objective,
    SampleBudget budget,
    Noise noise,
    int examples) {

  ExperimentSettings {
    landscapes = List.copyOf(landscapes);
    if (examples < 1) {
      throw new IllegalArgumentException("examples " + examples + " must be at least 1");
    }
  }

  /** Most samples of the whole search. */
  int mostSamples() {
    return switch (budget) {
      case SampleBudget.Invocations(int samples) -> samples * landscapes.size();
      case SampleBudget.Dollars _ -> Integer.MAX_VALUE;
    };
  }

  /** Most dollars of the whole search. */
  double mostUsd() {
    return switch (budget) {
      case SampleBudget.Invocations _ -> Double.POSITIVE_INFINITY;
      case SampleBudget.Dollars(double usd) -> usd;
    };
  }
}

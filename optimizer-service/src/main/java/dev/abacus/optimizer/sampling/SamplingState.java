package dev.abacus.optimizer.sampling;

import dev.abacus.schemas.objective.Objective;
import java.util.List;

/** All that a policy decides on. Operators stand in the order of the program. */
public record SamplingState(Objective objective, List<OperatorSamples> operators) {

  public SamplingState {
    operators = List.copyOf(operators);
  }
}

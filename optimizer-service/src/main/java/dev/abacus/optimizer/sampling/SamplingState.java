package dev.abacus.optimizer.sampling;

import dev.abacus.schemas.objective.Objective;
import java.util.List;

/** The input of a policy. Operators are in program order. */
public record SamplingState(Objective objective, List<OperatorSamples> operators) {

  public SamplingState {
    operators = List.copyOf(operators);
  }
}

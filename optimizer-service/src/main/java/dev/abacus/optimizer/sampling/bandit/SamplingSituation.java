package dev.abacus.optimizer.sampling.bandit;

import dev.abacus.schemas.objective.Objective;
import java.util.List;

/** All that a policy decides on. Operators stand in the order of the program. */
public record SamplingSituation(Objective objective, List<OperatorSituation> operators) {

  public SamplingSituation {
    operators = List.copyOf(operators);
  }
}

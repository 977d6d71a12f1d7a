package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.cost.Estimates;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.Program;
import java.util.List;

/** Finds the best plan for a program's objective; which algorithm, with what options. */
@FunctionalInterface
public interface PlanFinder {

  /**
   * The best plan, given what is known.
   *
   * @param program under the objective in force
   * @param estimates at least one implementation of every operator
   */
  Found find(Program program, Estimates estimates);

  /**
   * What was found.
   *
   * @param feasible whether the chosen plan meets every bound of the objective
   * @param frontier the Pareto-optimal plans, the chosen one among them
   */
  record Found(PlanChoice chosen, boolean feasible, List<PlanChoice> frontier) {

    public Found {
      frontier = List.copyOf(frontier);
    }
  }
}

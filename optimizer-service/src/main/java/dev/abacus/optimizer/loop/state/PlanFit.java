package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks plans against the current program, its objective and the pins.
 *
 * @param program under the objective in force
 * @param pins by operator id
 */
public record PlanFit(Program program, Map<String, PhysicalOperator> pins) {

  /** Whether a plan is valid for the program, the objective and the pins. */
  public boolean fits(@Nullable PhysicalPlan plan) {
    return plan != null
        && isFor(plan, program)
        && plan.objective().equals(program.objective())
        && !breaksPin(plan);
  }

  /** Whether the plan uses another implementation for a pinned operator. */
  public boolean breaksPin(PhysicalPlan plan) {
    for (PlanStep step : plan.choice().allSteps()) {
      PhysicalOperator pinned = pins.get(step.logical().id());
      if (pinned != null && !pinned.matches(step.physical())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a plan carries out exactly the program's operators, unchanged but for their inputs and
   * the order in which prompts show fields, and contains labelled examples only if the program
   * allows it. Merges may be absent.
   */
  public static boolean isFor(PhysicalPlan plan, Program program) {
    if (PlanCheck.examplesMistake(plan, program) != null) {
      return false;
    }
    Set<String> planned = new HashSet<>();
    for (PlanStep step : plan.choice().allSteps()) {
      LogicalOperator logical = step.logical();
      LogicalOperator own = program.operator(logical.id());
      if (own == null || !isSame(logical, own)) {
        return false;
      }
      planned.add(logical.id());
    }
    Set<String> wanted = new HashSet<>();
    for (LogicalOperator operator : program.operators()) {
      if (operator instanceof Merge) {
        planned.remove(operator.id());
      } else {
        wanted.add(operator.id());
      }
    }
    return planned.equals(wanted);
  }

  /** Whether a plan carries out an operator, unchanged but for its inputs and order of fields. */
  static boolean carriesOut(PhysicalPlan plan, LogicalOperator operator) {
    return plan.steps().stream().anyMatch(step -> isSame(step.logical(), operator));
  }

  /** Whether an operator of a plan is one of the program, unchanged but for inputs and order. */
  private static boolean isSame(LogicalOperator planned, LogicalOperator own) {
    return own.inputs().size() == planned.inputs().size()
        && FieldOrder.isSame(planned.withInputs(own.inputs()), own);
  }
}

package dev.abacus.deploy.cluster;

import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.ControlSnapshot;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A snapshot of the desired state on the control topic, with the failures of commands. */
public final class ControlState extends ControlSnapshot {

  private static final int LONGEST_TEXT = 200;

  public ControlState(ControlSnapshot snapshot) {
    super(snapshot);
  }

  /** The value of a refused key that is in force instead, as text; empty if there is none. */
  public String inForce(Rejection rejection) {
    ControlRecord record = records().get(ControlKey.parse(rejection.key()));
    String text =
        record == null ? "" : new String(ControlCodec.encode(record), StandardCharsets.UTF_8);
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
  }

  /** Whether a program is paused. */
  public boolean paused(String program) {
    return pause(program) != null;
  }

  /**
   * The applied program.
   *
   * @throws OperationFailedException if the program is not applied
   */
  public Program require(String name) {
    Program program = program(name);
    if (program == null) {
      throw new OperationFailedException(
          "no program '%s' is applied".formatted(name),
          programs().isEmpty()
              ? "Apply it with `abacus apply PROGRAM.yaml`."
              : "There are " + String.join(", ", programs()) + ".");
    }
    return program;
  }

  /**
   * The plan of an epoch, or the active plan.
   *
   * @param epoch null for the active plan
   * @throws OperationFailedException if the program is not applied or has no such plan
   */
  public PhysicalPlan requirePlan(String program, @Nullable Long epoch) {
    require(program);
    PhysicalPlan plan = plan(program, epoch);
    if (plan == null) {
      throw new OperationFailedException(
          epoch == null
              ? program + " has no active plan yet"
              : "%s has no plan of epoch %d".formatted(program, epoch),
          plans(program).isEmpty()
              ? "`abacus status %s` shows how far the search is.".formatted(program)
              : "There are the epochs %s.".formatted(plans(program).keySet()));
    }
    return plan;
  }

  /**
   * The plan of an epoch that a user may activate.
   *
   * @throws OperationFailedException if there is no such plan, or if it contains labelled examples
   *     and the program keeps them out of prompts
   */
  public PhysicalPlan requireActivatable(String program, long epoch) {
    PhysicalPlan plan = requirePlan(program, epoch);
    String banned = PlanCheck.examplesMistake(plan.choice(), require(program));
    if (banned != null) {
      throw new OperationFailedException(
          "epoch %d cannot be activated: %s".formatted(epoch, banned),
          "Activate another plan; `abacus plan list %s` shows them.".formatted(program));
    }
    return plan;
  }

  /** A sentence for each pin that a plan does not follow; a user may activate it all the same. */
  public List<String> unfollowedPins(PhysicalPlan plan) {
    Map<String, PhysicalOperator> pins = pins(plan.program());
    return plan.breaking(pins).stream()
        .map(step ->
            "note: %s is pinned to %s, epoch %d has %s; the next plan of the optimizer follows the pin"
                .formatted(
                    step.logical().id(),
                    Objects.requireNonNull(pins.get(step.logical().id())).id(),
                    plan.epoch(),
                    step.physical().id()))
        .distinct()
        .toList();
  }
}

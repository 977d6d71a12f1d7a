package dev.abacus.optimizer.loop;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The desired and the active state of a program, for the governor.
 *
 * @param program with the objective and budget in force
 * @param active the last activation; null before the first plan
 * @param plans by epoch
 * @param nextEpoch epoch of the next plan
 * @param pause the pause in force; null if there is none
 * @param searching whether samples are being drawn
 */
public record ProgramDeployment(
    Program program,
    ControlRecord.@Nullable Activated active,
    SortedMap<Long, PhysicalPlan> plans,
    long nextEpoch,
    ControlRecord.@Nullable Paused pause,
    boolean searching) {

  /** The active plan; null before the first. */
  public @Nullable PhysicalPlan activePlan() {
    return active == null ? null : plans.get(active.epoch());
  }
}

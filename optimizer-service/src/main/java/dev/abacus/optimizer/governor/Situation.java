package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a program and what is active.
 *
 * @param program under the objective and budget in force
 * @param active what was activated last; null before the first plan
 * @param plans by epoch
 * @param nextEpoch free for a new plan
 * @param pause the pause in force; null if there is none
 * @param searching whether a search for a plan is under way
 */
public record Situation(
    Program program,
    ControlRecord.@Nullable Activated active,
    SortedMap<Long, PhysicalPlan> plans,
    long nextEpoch,
    ControlRecord.@Nullable Paused pause,
    boolean searching) {

  // Not a compact constructor: its parameters would lose @Nullable in the class file.
  public Situation(
      Program program,
      ControlRecord.@Nullable Activated active,
      SortedMap<Long, PhysicalPlan> plans,
      long nextEpoch,
      ControlRecord.@Nullable Paused pause,
      boolean searching) {
    this.program = program;
    this.active = active;
    this.plans = Collections.unmodifiableSortedMap(new TreeMap<>(plans));
    this.nextEpoch = nextEpoch;
    this.pause = pause;
    this.searching = searching;
  }

  @Nullable PhysicalPlan activePlan() {
    return active == null ? null : plans.get(active.epoch());
  }

  boolean isPausedByGovernor() {
    return pause != null && pause.by().equals(ControlRecord.GOVERNOR);
  }

  /** Whether a user chose the active plan. */
  boolean isHeld() {
    return active != null
        && !active.by().equals(ControlRecord.OPTIMIZER)
        && !active.by().equals(ControlRecord.GOVERNOR);
  }

  boolean isCanary() {
    return active != null && active.share() < 1;
  }
}

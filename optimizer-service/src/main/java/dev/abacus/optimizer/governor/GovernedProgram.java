package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A program as its governor sees it.
 *
 * @param program with the objective and budget in force
 * @param active the last activation; null before the first plan
 * @param plans by epoch
 * @param nextEpoch the next free epoch
 * @param pause the pause in force; null for none
 * @param searching whether a search for a plan is running
 * @param corrected number of examples that were made of corrected results
 */
public record GovernedProgram(
    Program program,
    ControlRecord.@Nullable Activated active,
    SortedMap<Long, PhysicalPlan> plans,
    long nextEpoch,
    ControlRecord.@Nullable Paused pause,
    boolean searching,
    int corrected) {

  // Not a compact constructor: its parameters would lose @Nullable in the class file.
  public GovernedProgram(
      Program program,
      ControlRecord.@Nullable Activated active,
      SortedMap<Long, PhysicalPlan> plans,
      long nextEpoch,
      ControlRecord.@Nullable Paused pause,
      boolean searching,
      int corrected) {
    this.program = program;
    this.active = active;
    this.plans = Collections.unmodifiableSortedMap(new TreeMap<>(plans));
    this.nextEpoch = nextEpoch;
    this.pause = pause;
    this.searching = searching;
    this.corrected = corrected;
  }

  /** The active plan; null before the first. */
  @Nullable PhysicalPlan activePlan() {
    return active == null ? null : plans.get(active.epoch());
  }

  boolean isPausedByGovernor() {
    return pause != null && pause.by().equals(ControlRecord.GOVERNOR);
  }

  /** Whether a user chose the active plan. */
  boolean isHeld() {
    return active != null && active.byUser();
  }

  boolean isCanary() {
    return active != null && active.share() < 1;
  }
}

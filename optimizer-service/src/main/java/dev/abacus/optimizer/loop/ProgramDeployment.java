package dev.abacus.optimizer.loop;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
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

  public ProgramDeployment {
    plans = Collections.unmodifiableSortedMap(new TreeMap<>(plans));
  }
}

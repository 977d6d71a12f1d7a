package dev.abacus.optimizer.loop;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a program and what is active, for those who watch over it.
 *
 * @param program under the objective and budget in force
 * @param active what was activated last; null before the first plan
 * @param plans by epoch
 * @param nextEpoch free for a new plan
 * @param pause the pause in force; null if there is none
 * @param searching whether samples are out, or about to be
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

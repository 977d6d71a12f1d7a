package dev.abacus.topology.control;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What one program is to run: its definition, its plans by epoch, and which of them new documents
 * are stamped with. Written by the control follower, read by any thread.
 *
 * <p>An activation counts once its plan is known; until then the one before stays in force.
 */
public final class PlanSlot {

  private volatile State state = State.EMPTY;

  /**
   * A consistent view.
   *
   * @param program null if there is none, or it was removed
   * @param plans by epoch
   * @param active the newest activation whose plan is known; null before the first
   * @param previous the activation before, which takes what a canary leaves; null if there is none
   * @param awaited an activation whose plan is not known yet
   * @param paused whether documents are to wait
   */
  public record State(
      @Nullable Program program,
      Map<Long, PhysicalPlan> plans,
      ControlRecord.@Nullable Activated active,
      ControlRecord.@Nullable Activated previous,
      ControlRecord.@Nullable Activated awaited,
      boolean paused) {

    static final State EMPTY = new State(null, Map.of(), null, null, null, false);

    private State with(@Nullable Program newProgram) {
      return new State(newProgram, plans, active, previous, awaited, paused);
    }

    private State with(boolean nowPaused) {
      return new State(program, plans, active, previous, awaited, nowPaused);
    }

    private State with(PhysicalPlan plan) {
      Map<Long, PhysicalPlan> more = new TreeMap<>(plans);
      more.put(plan.epoch(), plan);
      State known = new State(program, more, active, previous, awaited, paused);
      return awaited != null && awaited.epoch() == plan.epoch() ? known.with(awaited) : known;
    }

    private State with(ControlRecord.Activated activation) {
      if (!plans.containsKey(activation.epoch())) {
        return new State(program, plans, active, previous, activation, paused);
      }
      boolean sameEpoch = active != null && active.epoch() == activation.epoch();
      return new State(program, plans, activation, sameEpoch ? previous : active, null, paused);
    }
  }

  /**
   * Takes a control record of this program; those that do not concern the data plane are passed
   * over.
   */
  public void apply(ControlRecord record) {
    switch (record) {
      case ControlRecord.ProgramSet set -> update(now -> now.with(set.program()));
      case ControlRecord.PlanPublished published -> update(now -> now.with(published.plan()));
      case ControlRecord.Activated activated -> update(now -> now.with(activated));
      case ControlRecord.Paused paused -> update(now -> now.with(paused.paused()));
      case ControlRecord.ObjectiveSet _,
          ControlRecord.BudgetSet _,
          ControlRecord.Pinned _,
          ControlRecord.Reoptimize _ -> {
        // For the optimizer.
      }
    }
  }

  /**
   * Forgets the program's definition; its plans stay, as documents may still carry their epochs.
   */
  public void removeProgram() {
    update(now -> now.with((Program) null));
  }

  /** Lifts a pause. */
  public void removePause() {
    update(now -> now.with(false));
  }

  public State state() {
    return state;
  }

  /** The plan of an epoch, or null if it is not known (yet). */
  public @Nullable PhysicalPlan plan(long epoch) {
    return state.plans().get(epoch);
  }

  /**
   * The epoch that a new document is to be stamped with. Documents of one key all fall on the same
   * side of a canary.
   *
   * @throws IllegalStateException if no plan is active yet
   */
  public long epochFor(byte @Nullable [] key) {
    State now = state;
    if (now.active() == null) {
      throw new IllegalStateException("no plan is active yet");
    }
    Long beside = beside(now, now.active());
    return beside == null
            || Math.floorMod(Arrays.hashCode(key), 10_000) < now.active().share() * 10_000
        ? now.active().epoch()
        : beside;
  }

  /** The epoch of documents that a canary leaves: the one it names, else the one before it. */
  private static @Nullable Long beside(State now, ControlRecord.Activated active) {
    Long named = active.beside();
    if (named != null && now.plans().containsKey(named)) {
      return named;
    }
    return now.previous() == null ? null : now.previous().epoch();
  }

  private synchronized void update(UnaryOperator<State> change) {
    state = change.apply(state);
  }
}

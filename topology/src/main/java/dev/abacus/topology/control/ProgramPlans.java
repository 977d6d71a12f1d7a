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
 * The desired state of one program: its definition, its plans by epoch, and the epoch of new
 * documents. The control follower writes it; any thread may read it.
 *
 * <p>An activation takes effect when its plan is known. Until then the previous one stays active.
 */
public final class ProgramPlans {

  private volatile State state = State.EMPTY;

  /**
   * A consistent view.
   *
   * @param program null if it was never set or was removed
   * @param plans by epoch
   * @param active the newest activation with a known plan; null before the first
   * @param previous the activation before {@code active}; with a canary it gets the other documents
   * @param awaited an activation whose plan is not known yet; null if there is none
   * @param paused whether processing of documents is paused
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

  /** Applies a control record of this program. Ignores records for the optimizer. */
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

  /** Removes the definition. The plans stay, because pending documents may have their epochs. */
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

  /** The plan of an epoch; null if it is not known. */
  public @Nullable PhysicalPlan plan(long epoch) {
    return state.plans().get(epoch);
  }

  /**
   * The epoch of a new document. With a canary, all documents of one key get the same epoch.
   *
   * @throws IllegalStateException if no plan is active
   */
  public long epochFor(byte @Nullable [] key) {
    State now = state;
    if (now.active() == null) {
      throw new IllegalStateException("no plan is active");
    }
    Long other = otherEpoch(now, now.active());
    return other == null
            || Math.floorMod(Arrays.hashCode(key), 10_000) < now.active().share() * 10_000
        ? now.active().epoch()
        : other;
  }

  /** The epoch of documents outside a canary: the one that it names, or the previous one. */
  private static @Nullable Long otherEpoch(State now, ControlRecord.Activated active) {
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

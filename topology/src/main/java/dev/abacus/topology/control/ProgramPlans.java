package dev.abacus.topology.control;

import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Spending;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of one program: its definition, its plans by epoch, and the epoch of new
 * documents. The control follower writes it; any thread may read it.
 *
 * <p>An activation takes effect when its plan is known. Until then the previous one stays active.
 */
public final class ProgramPlans {

  /** Resolution of a share; a prime, so that the shares of all partitions are equal. */
  private static final int BUCKETS = 10_007;

  private final Predicate<String> knownModel;
  private final LongSupplier position;
  private final List<VersionPlans> followers = new CopyOnWriteArrayList<>();

  /** By epoch; all states show it, so that a new plan costs the same however many there are. */
  private final NavigableMap<Long, PhysicalPlan> plans = new ConcurrentSkipListMap<>();

  private volatile State state;
  private volatile ControlRecord.@Nullable BudgetSet budget;

  /** The plans of a program, with any models. */
  public ProgramPlans() {
    this(_ -> true, () -> 0);
  }

  /**
   * The plans of a program.
   *
   * @param knownModel whether a model may be called
   * @param position offset of the next record of the control topic
   */
  public ProgramPlans(Predicate<String> knownModel, LongSupplier position) {
    this.knownModel = knownModel;
    this.position = position;
    this.state =
        new State(null, Collections.unmodifiableNavigableMap(plans), null, null, null, false);
  }

  /**
   * A consistent view. Plans that become known later appear in it too.
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

    /** No program. */
    public static final State EMPTY = new State(null, Map.of(), null, null, null, false);

    /**
     * After a restart the program may follow its plans, so the active one is checked again. The
     * optimizer checks plans before it activates them; such a plan may belong to an earlier version
     * of the program, and stays active until the new version has one, as without a restart.
     */
    private State with(@Nullable Program newProgram, Predicate<String> knownModel) {
      State changed = new State(newProgram, plans, active, previous, awaited, paused);
      return program == null
              && active != null
              && !isByOptimizer(active)
              && changed.mistake(active, knownModel) != null
          ? new State(newProgram, plans, null, null, awaited, paused)
          : changed;
    }

    private static boolean isByOptimizer(ControlRecord.Activated activation) {
      return activation.by().equals(ControlRecord.OPTIMIZER)
          || activation.by().equals(ControlRecord.GOVERNOR);
    }

    /** The mistake of a known plan; null if it has none or if the program is not known. */
    private @Nullable String mistake(
        ControlRecord.Activated activation, Predicate<String> knownModel) {
      PhysicalPlan plan = plans.get(activation.epoch());
      if (program == null || plan == null) {
        return null;
      }
      String mistake = PlanCheck.mistake(plan, program, knownModel);
      // The optimizer replaces its own plans, and until then prompts leave the examples out.
      return mistake != null || isByOptimizer(activation)
          ? mistake
          : PlanCheck.examplesMistake(plan.choice(), program);
    }

    private State with(boolean nowPaused) {
      return new State(program, plans, active, previous, awaited, nowPaused);
    }

    /** A plan became known. */
    private State with(PhysicalPlan plan) {
      return awaited != null && awaited.epoch() == plan.epoch() ? with(awaited) : this;
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
   * Applies a control record of this program. Ignores records for the optimizer.
   *
   * @throws IllegalArgumentException if a plan does not fit the program; nothing changes then
   */
  public void apply(ControlRecord record) {
    switch (record) {
      case ControlRecord.ProgramSet set -> update(now -> now.with(set.program(), knownModel));
      case ControlRecord.PlanPublished published -> {
        State now = state;
        if (now.program() != null) {
          require(
              published.plan().epoch(),
              PlanCheck.mistake(published.plan(), now.program(), knownModel));
        }
        plans.put(published.plan().epoch(), published.plan());
        update(current -> current.with(published.plan()));
      }
      case ControlRecord.Activated activated -> {
        require(activated.epoch(), state.mistake(activated, knownModel));
        update(now -> now.with(activated));
      }
      case ControlRecord.Paused paused -> update(now -> now.with(paused.paused()));
      case ControlRecord.BudgetSet set -> budget = set;
      case ControlRecord.ObjectiveSet _, ControlRecord.Pinned _, ControlRecord.Reoptimize _ -> {
        // For the optimizer.
      }
    }
  }

  private static void require(long epoch, @Nullable String mistake) {
    if (mistake != null) {
      throw new IllegalArgumentException(
          "the plan of epoch %d does not fit the program: %s".formatted(epoch, mistake));
    }
  }

  /** Applies a tombstone of this program. Ignores those for the optimizer. */
  public void remove(ControlKey key) {
    switch (key) {
      // The plans stay, because pending documents may have their epochs.
      case ControlKey.ProgramKey _ -> update(now -> now.with(null, knownModel));
      case ControlKey.PausedKey _ -> update(now -> now.with(false));
      case ControlKey.BudgetKey _ -> budget = null;
      case ControlKey.PlanKey plan -> {
        if (state.program() == null) {
          plans.remove(plan.epoch());
        }
      }
      case ControlKey.ObjectiveKey _,
          ControlKey.PinKey _,
          ControlKey.ReoptimizeKey _,
          ControlKey.ActiveKey _ -> {
        // The first three are for the optimizer. Documents need a plan, so the last one stays.
      }
    }
  }

  /** Whether nothing is left to know. */
  boolean isEmpty() {
    State now = state;
    return now.program() == null && plans.isEmpty() && !now.paused() && budget == null;
  }

  /** The spending cap in force; null for none. */
  public @Nullable Spending spending() {
    ControlRecord.BudgetSet set = budget;
    Program program = state.program();
    return set != null && set.spending() != null
        ? set.spending()
        : program == null ? null : program.spending();
  }

  /** Whether prompts may show labelled examples; true if the program is not known. */
  public boolean fewShot() {
    Program program = state.program();
    return program == null || program.validation().fewShot();
  }

  /** Offset of the next record of the control topic that these plans have not seen. */
  public long position() {
    return position.getAsLong();
  }

  public State state() {
    return state;
  }

  /** The plan of an epoch; null if it is not known. */
  public @Nullable PhysicalPlan plan(long epoch) {
    return state.plans().get(epoch);
  }

  /**
   * The epoch of a new document. With a canary, all documents of one key get the same epoch, and
   * documents without a key are distributed at random. A hash with good mixing (murmur2) keeps the
   * share also for sequential keys.
   *
   * @throws IllegalStateException if no plan is active
   */
  public long epochFor(byte @Nullable [] key) {
    State now = state;
    if (now.active() == null) {
      throw new IllegalStateException("no plan is active");
    }
    Long other = otherEpoch(now, now.active());
    return other == null || isInShare(key, now.active().share()) ? now.active().epoch() : other;
  }

  private static boolean isInShare(byte @Nullable [] key, double share) {
    if (share >= 1) {
      return true;
    }
    int bucket =
        key == null
            ? ThreadLocalRandom.current().nextInt(BUCKETS)
            : Utils.toPositive(Utils.murmur2(key)) % BUCKETS;
    return bucket < share * BUCKETS;
  }

  /** The epoch of documents outside a canary: the one that it names, or the previous one. */
  private static @Nullable Long otherEpoch(State now, ControlRecord.Activated active) {
    Long named = active.beside();
    if (named != null && now.plans().containsKey(named)) {
      return named;
    }
    return now.previous() == null ? null : now.previous().epoch();
  }

  /** The newest plan of a program; null if none of the known plans fits it. */
  public @Nullable Long newestFitting(State now, Program program) {
    ControlRecord.Activated active = now.active();
    if (active != null && fits(now, active.epoch(), program)) {
      return active.epoch();
    }
    return now.plans().keySet().stream()
        .filter(epoch -> fits(now, epoch, program))
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  /** Whether the plan of an epoch is known and was made for a program like this one. */
  public boolean fits(State now, long epoch, Program program) {
    PhysicalPlan plan = now.plans().get(epoch);
    return plan != null && PlanCheck.mistake(plan, program, knownModel) == null;
  }

  /**
   * The plans for one version of the program. They follow these plans while the program has the
   * shape of the version, and keep the last plan that fits the version otherwise.
   *
   * @param definition of the version, while the program has another shape
   * @param sameShape whether a program has the shape of the version
   * @param epoch of the plan to start with; null for the newest that fits
   */
  public ProgramPlans ofVersion(
      Program definition, Predicate<Program> sameShape, @Nullable Long epoch) {
    VersionPlans plans =
        new VersionPlans(definition, sameShape, epoch, new ProgramPlans(knownModel, position));
    synchronized (this) {
      plans.follow(state);
      followers.add(plans);
    }
    return plans.view();
  }

  /** Ends the following of {@link #ofVersion}. */
  public void forget(ProgramPlans version) {
    followers.removeIf(plans -> plans.view() == version);
  }

  /** The plans of a version, and which state they take over. */
  private record VersionPlans(
      Program definition, Predicate<Program> sameShape, @Nullable Long first, ProgramPlans view) {

    void follow(State now) {
      Program wanted = now.program();
      boolean same = wanted != null && sameShape.test(wanted);
      Program program = wanted != null && same ? wanted : definition;
      ControlRecord.Activated active = now.active();
      State before = view.state;
      if (active != null && view.fits(now, active.epoch(), program)) {
        view.state = state(now, program, active, now.previous());
      } else if (before.active() != null) {
        view.state = state(now, program, before.active(), before.previous());
      } else {
        Long epoch =
            first != null && now.plans().containsKey(first)
                ? first
                : view.newestFitting(now, program);
        view.state =
            epoch != null
                ? state(now, program, of(program, epoch), null)
                : state(now, program, same ? active : null, same ? now.previous() : null);
      }
    }

    private static ControlRecord.Activated of(Program program, long epoch) {
      return new ControlRecord.Activated(
          program.name(), epoch, 1, "the version keeps it", ControlRecord.OPTIMIZER);
    }

    private static State state(
        State now,
        Program program,
        ControlRecord.@Nullable Activated active,
        ControlRecord.@Nullable Activated previous) {
      return new State(program, now.plans(), active, previous, null, now.paused());
    }
  }

  private synchronized void update(UnaryOperator<State> change) {
    state = change.apply(state);
    followers.forEach(plans -> plans.follow(state));
  }
}

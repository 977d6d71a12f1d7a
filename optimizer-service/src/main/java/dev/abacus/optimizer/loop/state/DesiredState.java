package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fold of the control topic for one program: the newest value of every key.
 *
 * <p>Depends only on the newest values and their order, so it is the same before and after
 * compaction. For that reason any record of program, objective or token that follows an activation
 * by a user lets the optimizer replace that plan, even if the value is unchanged.
 */
public final class DesiredState {

  private @Nullable Program program;
  private @Nullable Objective objective;
  private ControlRecord.@Nullable BudgetSet budget;
  private String token = "";
  private ControlRecord.@Nullable Paused paused;
  private final SortedMap<String, PhysicalOperator> pins = new TreeMap<>();
  private final SortedMap<Long, PhysicalPlan> plans = new TreeMap<>();
  private ControlRecord.@Nullable Activated active;
  private boolean held;

  /** Applies a record; returns null, or why it is refused, and then nothing changed. */
  @Nullable String set(ControlRecord record) {
    return switch (record) {
      case ControlRecord.ProgramSet set -> {
        program = set.program();
        held = false;
        yield null;
      }
      case ControlRecord.ObjectiveSet set -> {
        objective = set.objective();
        held = false;
        yield null;
      }
      case ControlRecord.BudgetSet set -> {
        budget = set;
        yield null;
      }
      case ControlRecord.Reoptimize set -> {
        token = set.token();
        held = false;
        yield null;
      }
      case ControlRecord.Paused set -> {
        paused = set.paused() ? set : null;
        yield null;
      }
      case ControlRecord.Pinned pinned -> pin(pinned);
      case ControlRecord.PlanPublished published -> publish(published.plan());
      case ControlRecord.Activated activated -> activate(activated);
    };
  }

  /** Applies a tombstone. */
  void remove(ControlKey key) {
    switch (key) {
      case ControlKey.ProgramKey _ -> program = null;
      case ControlKey.ObjectiveKey _ -> {
        objective = null;
        held = false;
      }
      case ControlKey.BudgetKey _ -> budget = null;
      case ControlKey.PinKey pin -> pins.remove(pin.operator());
      case ControlKey.PausedKey _ -> paused = null;
      case ControlKey.ReoptimizeKey _ -> token = "";
      case ControlKey.PlanKey plan -> plans.remove(plan.epoch());
      case ControlKey.ActiveKey _ -> {
        active = null;
        held = false;
      }
    }
  }

  private @Nullable String pin(ControlRecord.Pinned pinned) {
    if (program != null && !mayBePinned(pinned.operator(), program)) {
      return "program '%s' has no semantic operator '%s' to pin"
          .formatted(program.name(), pinned.operator());
    }
    if (pinned.physical() instanceof Relational) {
      return "'%s' needs a model and cannot be pinned to 'relational'".formatted(pinned.operator());
    }
    pins.put(pinned.operator(), pinned.physical());
    return null;
  }

  private static boolean mayBePinned(String id, Program program) {
    LogicalOperator operator = program.operator(id);
    return operator != null && operator.isSemantic();
  }

  /** A plan is immutable, but not what is known of it. */
  private @Nullable String publish(PhysicalPlan plan) {
    PhysicalPlan known = plans.get(plan.epoch());
    if (known != null && !known.isChosen(plan.choice())) {
      return "plans are immutable, and epoch %d has one already".formatted(plan.epoch());
    }
    plans.put(plan.epoch(), plan);
    return null;
  }

  private @Nullable String activate(ControlRecord.Activated activated) {
    if (!plans.containsKey(activated.epoch())) {
      return "there is no plan of epoch %d; there are %s"
          .formatted(activated.epoch(), plans.keySet());
    }
    String banned =
        activated.byUser() && program != null
            ? PlanCheck.examplesMistake(plans.get(activated.epoch()).choice(), program)
            : null;
    if (banned == null) {
      active = activated;
      held = activated.byUser();
    }
    return banned;
  }

  /** The program with the objective and budget in force; null if there is none. */
  public @Nullable Program program() {
    if (program == null) {
      return null;
    }
    Program effective = objective == null ? program : program.withObjective(objective);
    return budget == null
        ? effective
        : effective.withBudget(
            budget.budget() == null ? effective.budget() : budget.budget(),
            budget.spending() == null ? effective.spending() : budget.spending());
  }

  /** The {@code reoptimize} token in force; empty if there is none. */
  public String token() {
    return token;
  }

  public boolean paused() {
    return paused != null;
  }

  /** The pause in force; null if there is none. */
  public ControlRecord.@Nullable Paused pause() {
    return paused;
  }

  /** Whether a user activated the plan and did not ask for optimization since. */
  public boolean held() {
    return held;
  }

  /**
   * The pins that the program allows. A pin may be read before its program, so it is checked
   * against each version.
   */
  public Map<String, PhysicalOperator> pins() {
    Program current = program;
    if (current == null) {
      return pins;
    }
    Map<String, PhysicalOperator> valid = new TreeMap<>(pins);
    valid
        .entrySet()
        .removeIf(pin ->
            !mayBePinned(pin.getKey(), current)
                || PlanCheck.examplesMistake(pin.getValue(), current) != null);
    return valid;
  }

  /** All published plans by epoch, without removed ones. */
  public SortedMap<Long, PhysicalPlan> plans() {
    return plans;
  }

  /** The last activation; null if there is none. */
  public ControlRecord.@Nullable Activated active() {
    return active;
  }

  /**
   * The plan that the search or a user chose; null if there is none. While the governor runs an
   * alternative, this is the plan that it replaced.
   */
  public @Nullable PhysicalPlan chosenPlan() {
    if (active == null) {
      return null;
    }
    Long beside = active.beside();
    if (beside != null && active.by().equals(ControlRecord.GOVERNOR) && active.share() == 1) {
      return plans.get(beside);
    }
    return plans.get(active.epoch());
  }

  /** The plan of the last activation; null if there is none. */
  public @Nullable PhysicalPlan activePlan() {
    return active == null ? null : plans.get(active.epoch());
  }

  /** The highest epoch so far plus 1. */
  public long nextEpoch() {
    long highest = plans.isEmpty() ? 0 : plans.lastKey();
    return 1 + (active == null ? highest : Math.max(highest, active.epoch()));
  }
}

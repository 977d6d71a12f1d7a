package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.loop.prompt.FieldOrder;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.ControlSnapshot;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The fold of the control topic for one program: the newest value of every key.
 *
 * <p>Depends only on the newest values and their order, so it is the same before and after
 * compaction. For that reason any record of program, objective or token that follows an activation
 * by a user lets the optimizer replace that plan, even if the value is unchanged.
 */
public final class DesiredState {

  private final String name;
  private final Map<ControlKey, ControlRecord> records = new LinkedHashMap<>();
  private final ControlSnapshot inForce = ControlSnapshot.over(records);
  private @Nullable Program program;
  private boolean held;

  DesiredState(String program) {
    this.name = program;
  }

  /** Applies a record; returns null, or why it is refused, and then nothing changed. */
  @Nullable String set(ControlRecord record) {
    String refusal =
        switch (record) {
          case ControlRecord.Pinned pinned -> mistake(pinned);
          case ControlRecord.PlanPublished(PhysicalPlan plan) -> mistake(plan);
          case ControlRecord.Activated activated -> mistake(activated);
          case ControlRecord _ -> null;
        };
    if (refusal == null) {
      held =
          switch (record) {
            case ControlRecord.ProgramSet _,
                ControlRecord.ObjectiveSet _,
                ControlRecord.Reoptimize _ ->
                false;
            case ControlRecord.Activated activated -> activated.byUser();
            case ControlRecord _ -> held;
          };
      records.put(record.key(), record);
      follow();
    }
    return refusal;
  }

  /** Applies a tombstone. */
  void remove(ControlKey key) {
    held &= !(key instanceof ControlKey.ObjectiveKey || key instanceof ControlKey.ActiveKey);
    records.remove(key);
    follow();
  }

  private void follow() {
    Program stated = inForce.program(name);
    program = stated == null ? null : inForce.effective(stated);
  }

  private @Nullable String mistake(ControlRecord.Pinned pinned) {
    if (program != null && !mayBePinned(pinned.operator(), program)) {
      return "program '%s' has no semantic operator '%s' to pin"
          .formatted(program.name(), pinned.operator());
    }
    return pinned.physical() instanceof Relational
        ? "'%s' needs a model and cannot be pinned to 'relational'".formatted(pinned.operator())
        : null;
  }

  private static boolean mayBePinned(String id, Program program) {
    LogicalOperator operator = program.operator(id);
    return operator != null && operator.isSemantic();
  }

  /** A plan is immutable, but not what is known of it. */
  private @Nullable String mistake(PhysicalPlan plan) {
    PhysicalPlan known = inForce.plan(name, plan.epoch());
    return known != null && !known.isChosen(plan.choice())
        ? "plans are immutable, and epoch %d has one already".formatted(plan.epoch())
        : null;
  }

  private @Nullable String mistake(ControlRecord.Activated activated) {
    PhysicalPlan plan = inForce.plan(name, activated.epoch());
    if (plan == null) {
      return "there is no plan of epoch %d; there are %s"
          .formatted(activated.epoch(), plans().keySet());
    }
    return activated.byUser() && program != null
        ? PlanCheck.examplesMistake(plan.choice(), program)
        : null;
  }

  /** The program with the objective and budget in force; null if there is none. */
  public @Nullable Program program() {
    return program;
  }

  /** The {@code reoptimize} token in force; empty if there is none. */
  public String token() {
    return records.get(new ControlKey.ReoptimizeKey(name)) instanceof ControlRecord.Reoptimize again
        ? again.token()
        : "";
  }

  public boolean paused() {
    return pause() != null;
  }

  /** The pause in force; null if there is none. */
  public ControlRecord.@Nullable Paused pause() {
    return inForce.pause(name);
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
    Map<String, PhysicalOperator> pins = inForce.pins(name);
    Program current = program;
    if (current != null) {
      pins.entrySet()
          .removeIf(pin ->
              !mayBePinned(pin.getKey(), current)
                  || PlanCheck.examplesMistake(pin.getValue(), current) != null);
    }
    return pins;
  }

  /** All published plans by epoch, without removed ones. */
  public SortedMap<Long, PhysicalPlan> plans() {
    return inForce.plans(name);
  }

  /** The last activation; null if there is none. */
  public ControlRecord.@Nullable Activated active() {
    return inForce.active(name);
  }

  /**
   * The plan that the search or a user chose; null if there is none. While the governor runs an
   * alternative, this is the plan that it replaced.
   */
  public @Nullable PhysicalPlan chosenPlan() {
    ControlRecord.Activated active = active();
    if (active == null) {
      return null;
    }
    boolean isReplaced = active.by().equals(ControlRecord.GOVERNOR) && active.share() == 1;
    return inForce.plan(name, isReplaced ? active.beside() : null);
  }

  /** The plan of the last activation; null if there is none. */
  public @Nullable PhysicalPlan activePlan() {
    return inForce.plan(name, null);
  }

  /**
   * Whether a plan is valid for the program, its objective and the pins.
   *
   * @param current the program as it is searched
   */
  public boolean fits(@Nullable PhysicalPlan plan, Program current) {
    return plan != null
        && isFor(plan, current)
        && plan.objective().equals(current.objective())
        && !breaksPin(plan);
  }

  /** Whether a plan uses another implementation for a pinned operator. */
  public boolean breaksPin(PhysicalPlan plan) {
    return !plan.breaking(pins()).isEmpty();
  }

  /**
   * Whether a plan carries out exactly the program's operators, unchanged but for their inputs and
   * the order in which prompts show fields, and contains labelled examples only if the program
   * allows it. Merges may be absent.
   */
  public static boolean isFor(PhysicalPlan plan, Program program) {
    List<LogicalOperator> planned =
        plan.choice().allSteps().stream().map(PlanStep::logical).toList();
    return PlanCheck.examplesMistake(plan, program) == null
        && planned.stream()
            .allMatch(step -> {
              LogicalOperator own = program.operator(step.id());
              return own != null && isSame(step, own);
            })
        && program.operators().stream()
            .filter(operator -> !(operator instanceof Merge))
            .allMatch(
                operator -> planned.stream().anyMatch(step -> step.id().equals(operator.id())));
  }

  /** Whether a plan carries out an operator, unchanged but for its inputs and order of fields. */
  static boolean carriesOut(PhysicalPlan plan, LogicalOperator operator) {
    return plan.steps().stream().anyMatch(step -> isSame(step.logical(), operator));
  }

  /** Whether an operator of a plan is one of the program, unchanged but for inputs and order. */
  private static boolean isSame(LogicalOperator planned, LogicalOperator own) {
    return own.inputs().size() == planned.inputs().size()
        && FieldOrder.isSame(planned.withInputs(own.inputs()), own);
  }

  /** The highest epoch so far plus 1. */
  public long nextEpoch() {
    SortedMap<Long, PhysicalPlan> plans = plans();
    ControlRecord.Activated active = active();
    long highest = plans.isEmpty() ? 0 : plans.lastKey();
    return 1 + (active == null ? highest : Math.max(highest, active.epoch()));
  }
}

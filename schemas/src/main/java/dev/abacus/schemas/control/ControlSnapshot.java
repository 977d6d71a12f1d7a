package dev.abacus.schemas.control;

import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The desired state: the values in force on the control topic, at one moment or {@linkplain #over
 * whenever it is asked}.
 */
public class ControlSnapshot {

  private final Map<ControlKey, ControlRecord> records;
  private final List<Rejection> refused;
  private final Map<String, Long> activeBefore;

  /**
   * A snapshot.
   *
   * @param records the values in force
   * @param refused the last rejection of each key, unless the key has a later value
   * @param activeBefore by program, the epoch that was active before the active one; compaction
   *     removes it from the topic at some time
   */
  public ControlSnapshot(
      Map<ControlKey, ControlRecord> records,
      List<Rejection> refused,
      Map<String, Long> activeBefore) {
    this.records = Collections.unmodifiableMap(new LinkedHashMap<>(records));
    this.refused = List.copyOf(refused);
    this.activeBefore = Map.copyOf(activeBefore);
  }

  private ControlSnapshot(Map<ControlKey, ControlRecord> records) {
    this.records = Collections.unmodifiableMap(records);
    this.refused = List.of();
    this.activeBefore = Map.of();
  }

  /** Values in force that change: what it says is of the moment when it is asked. */
  public static ControlSnapshot over(Map<ControlKey, ControlRecord> records) {
    return new ControlSnapshot(records);
  }

  /** A copy. */
  protected ControlSnapshot(ControlSnapshot other) {
    this(other.records, other.refused, other.activeBefore);
  }

  /** The values in force. */
  public Map<ControlKey, ControlRecord> records() {
    return records;
  }

  /** The last rejection of each key, unless the key has a later value. */
  public List<Rejection> refused() {
    return refused;
  }

  /** The refused records of a program. */
  public List<Rejection> refused(String program) {
    return refused.stream()
        .filter(rejection -> ControlKey.parse(rejection.key()).program().equals(program))
        .toList();
  }

  /** Names of the applied programs, in alphabetical order. */
  public List<String> programs() {
    return records.keySet().stream()
        .filter(ControlKey.ProgramKey.class::isInstance)
        .map(ControlKey::program)
        .sorted()
        .toList();
  }

  /** The applied program; null if it is not applied. */
  public @Nullable Program program(String name) {
    return records.get(new ControlKey.ProgramKey(name)) instanceof ControlRecord.ProgramSet set
        ? set.program()
        : null;
  }

  /** A program with the objective and the budget in force. */
  public Program effective(Program program) {
    Program effective = program.withObjective(objective(program));
    return records.get(new ControlKey.BudgetKey(program.name()))
            instanceof ControlRecord.BudgetSet set
        ? effective.withBudget(
            set.budget() == null ? program.budget() : set.budget(),
            set.spending() == null ? program.spending() : set.spending())
        : effective;
  }

  /** The effective objective: the objective record if there is one, else the program's own. */
  public Objective objective(Program program) {
    return records.get(new ControlKey.ObjectiveKey(program.name()))
            instanceof ControlRecord.ObjectiveSet set
        ? set.objective()
        : program.objective();
  }

  /** The pause in force; null if the program runs. */
  public ControlRecord.@Nullable Paused pause(String program) {
    return records.get(new ControlKey.PausedKey(program)) instanceof ControlRecord.Paused pause
            && pause.paused()
        ? pause
        : null;
  }

  /** The activation in force; null before the first plan. */
  public ControlRecord.@Nullable Activated active(String program) {
    return records.get(new ControlKey.ActiveKey(program)) instanceof ControlRecord.Activated active
        ? active
        : null;
  }

  /**
   * The epoch to return to: during a canary, that of the other documents; otherwise the one that
   * was active before, or the next lower one if compaction has removed the earlier activations.
   *
   * @return null if there is none
   */
  public @Nullable Long epochBefore(String program) {
    ControlRecord.Activated active = active(program);
    if (active == null) {
      return null;
    }
    NavigableMap<Long, PhysicalPlan> plans = plans(program);
    Long before = active.beside() == null ? activeBefore.get(program) : active.beside();
    return before != null && plans.containsKey(before) ? before : plans.lowerKey(active.epoch());
  }

  /** All published plans by epoch. */
  public NavigableMap<Long, PhysicalPlan> plans(String program) {
    NavigableMap<Long, PhysicalPlan> plans = new TreeMap<>();
    for (ControlRecord record : records.values()) {
      if (record instanceof ControlRecord.PlanPublished published
          && published.plan().program().equals(program)) {
        plans.put(published.plan().epoch(), published.plan());
      }
    }
    return plans;
  }

  /** The plan of an epoch, or the active plan if {@code epoch} is null; null if there is none. */
  public @Nullable PhysicalPlan plan(String program, @Nullable Long epoch) {
    ControlRecord.Activated active = active(program);
    Long wanted = epoch != null || active == null ? epoch : Long.valueOf(active.epoch());
    return wanted != null
            && records.get(new ControlKey.PlanKey(program, wanted))
                instanceof ControlRecord.PlanPublished(PhysicalPlan plan)
        ? plan
        : null;
  }

  /** Pinned implementations by operator. */
  public Map<String, PhysicalOperator> pins(String program) {
    Map<String, PhysicalOperator> pins = new TreeMap<>();
    for (ControlRecord record : records.values()) {
      if (record instanceof ControlRecord.Pinned pinned && pinned.program().equals(program)) {
        pins.put(pinned.operator(), pinned.physical());
      }
    }
    return pins;
  }
}

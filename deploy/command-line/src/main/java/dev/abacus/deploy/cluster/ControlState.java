package dev.abacus.deploy.cluster;

import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the desired state on the control topic.
 *
 * @param records the values in force
 * @param refused the last rejection of each key, unless the key has a later value
 * @param activeBefore by program, the epoch that was active before the active one, as far as the
 *     topic has it
 */
public record ControlState(
    Map<ControlKey, ControlRecord> records,
    List<Rejection> refused,
    Map<String, Long> activeBefore) {

  private static final int LONGEST_TEXT = 200;

  public ControlState {
    refused = List.copyOf(refused);
    activeBefore = Map.copyOf(activeBefore);
    records = Collections.unmodifiableMap(new LinkedHashMap<>(records));
  }

  /** The refused records of a program. */
  public List<Rejection> refused(String program) {
    return refused.stream()
        .filter(rejection -> ControlKey.parse(rejection.key()).program().equals(program))
        .toList();
  }

  /** The value of a refused key that is in force instead, as text; empty if there is none. */
  public String inForce(Rejection rejection) {
    ControlRecord record = records.get(ControlKey.parse(rejection.key()));
    String text =
        record == null ? "" : new String(ControlCodec.encode(record), StandardCharsets.UTF_8);
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
  }

  /** Names of the applied programs, in alphabetical order. */
  public List<String> programs() {
    return records.values().stream()
        .flatMap(record ->
            record instanceof ControlRecord.ProgramSet set
                ? Stream.of(set.program().name())
                : Stream.empty())
        .sorted()
        .toList();
  }

  /** The applied program; null if it is not applied. */
  public @Nullable Program program(String name) {
    return records.get(new ControlKey.ProgramKey(name)) instanceof ControlRecord.ProgramSet set
        ? set.program()
        : null;
  }

  /**
   * The applied program.
   *
   * @throws OperationFailedException if the program is not applied
   */
  public Program require(String name) {
    Program program = program(name);
    if (program == null) {
      throw new OperationFailedException(
          "no program '%s' is applied".formatted(name),
          programs().isEmpty()
              ? "Apply it with `abacus apply PROGRAM.yaml`."
              : "There are " + String.join(", ", programs()) + ".");
    }
    return program;
  }

  /** The effective objective: the objective record if there is one, else the program's own. */
  public Objective objective(Program program) {
    return records.get(new ControlKey.ObjectiveKey(program.name()))
            instanceof ControlRecord.ObjectiveSet set
        ? set.objective()
        : program.objective();
  }

  public boolean paused(String program) {
    return records.get(new ControlKey.PausedKey(program)) instanceof ControlRecord.Paused paused
        && paused.paused();
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
    return wanted == null ? null : plans(program).get(wanted);
  }

  /**
   * The plan of an epoch, or the active plan.
   *
   * @param epoch null for the active plan
   * @throws OperationFailedException if the program is not applied or has no such plan
   */
  public PhysicalPlan requirePlan(String program, @Nullable Long epoch) {
    require(program);
    PhysicalPlan plan = plan(program, epoch);
    if (plan == null) {
      throw new OperationFailedException(
          epoch == null
              ? program + " has no active plan yet"
              : "%s has no plan of epoch %d".formatted(program, epoch),
          plans(program).isEmpty()
              ? "`abacus status %s` shows how far the search is.".formatted(program)
              : "There are the epochs %s.".formatted(plans(program).keySet()));
    }
    return plan;
  }

  /**
   * The plan of an epoch that a user may activate.
   *
   * @throws OperationFailedException if there is no such plan, or if it contains labelled examples
   *     and the program keeps them out of prompts
   */
  public PhysicalPlan requireActivatable(String program, long epoch) {
    PhysicalPlan plan = requirePlan(program, epoch);
    String banned = PlanCheck.examplesMistake(plan.choice(), require(program));
    if (banned != null) {
      throw new OperationFailedException(
          "epoch %d cannot be activated: %s".formatted(epoch, banned),
          "Activate another plan; `abacus plan list %s` shows them.".formatted(program));
    }
    return plan;
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

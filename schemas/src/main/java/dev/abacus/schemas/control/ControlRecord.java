package dev.abacus.schemas.control;

import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Spending;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A desired state on the control topic under its {@link ControlKey}. The newest value of a key is
 * in force; a tombstone removes it.
 */
public sealed interface ControlRecord {

  /** The author of a record that does not name one. */
  String USER = "user";

  /** The author of activations after a search. */
  String OPTIMIZER = "optimizer";

  /** The author of activations because of spend, lag, outages or drift. */
  String GOVERNOR = "governor";

  /** The key of the record. */
  default ControlKey key() {
    return switch (this) {
      case ProgramSet set -> new ControlKey.ProgramKey(set.program().name());
      case ObjectiveSet set -> new ControlKey.ObjectiveKey(set.program());
      case BudgetSet set -> new ControlKey.BudgetKey(set.program());
      case Pinned pinned -> new ControlKey.PinKey(pinned.program(), pinned.operator());
      case Paused paused -> new ControlKey.PausedKey(paused.program());
      case Reoptimize reoptimize -> new ControlKey.ReoptimizeKey(reoptimize.program());
      case PlanPublished(PhysicalPlan plan) -> new ControlKey.PlanKey(plan.program(), plan.epoch());
      case Activated activated -> new ControlKey.ActiveKey(activated.program());
    };
  }

  /** What setting the record did, in the past tense and without its author. */
  default String describe() {
    return switch (this) {
      case ProgramSet _ -> "applied the program";
      case ObjectiveSet set -> "objective: " + set.objective();
      case BudgetSet _ -> "changed the budget";
      case Pinned pin -> "pinned %s=%s".formatted(pin.operator(), pin.physical().id());
      case Paused paused ->
          (paused.paused() ? "paused" : "resumed")
              + (paused.reason().isEmpty() ? "" : ": " + paused.reason());
      case Reoptimize round -> {
        String why = RoundReason.of(round.token());
        yield "asked for a new round of samples" + (why.isEmpty() ? "" : ", because " + why);
      }
      case PlanPublished(PhysicalPlan plan) ->
          String.format(
              Locale.ROOT,
              "published the plan of epoch %d: quality %.2f, %.6f USD and %.1f s per document; %s",
              plan.epoch(),
              plan.estimate().quality(),
              plan.estimate().cost(),
              plan.estimate().latency(),
              String.join(", ", plan.choice().semanticSteps()));
      case Activated active ->
          "activated epoch %d%s: %s"
              .formatted(
                  active.epoch(),
                  active.share() < 1 ? " for %.0f %%".formatted(100 * active.share()) : "",
                  active.reason());
    };
  }

  /** {@code program/<p>}. */
  record ProgramSet(Program program) implements ControlRecord {}

  /** {@code objective/<p>}: overrides the objective of the program. */
  record ObjectiveSet(String program, Objective objective) implements ControlRecord {}

  /** {@code budget/<p>}: overrides the parts of the budget of the program that are not null. */
  record BudgetSet(String program, @Nullable SampleBudget budget, @Nullable Spending spending)
      implements ControlRecord {}

  /** {@code pin/<p>/<operator>}: fixes the implementation of an operator. */
  record Pinned(String program, String operator, PhysicalOperator physical)
      implements ControlRecord {}

  /**
   * {@code paused/<p>}: {@code true}, or {@code {"paused": true, "reason": …, "by": …}}.
   *
   * @param reason explanation for users; may be empty
   * @param by author: {@code governor} or a user
   */
  record Paused(String program, boolean paused, String reason, String by) implements ControlRecord {

    /** A pause by a user. */
    public Paused(String program, boolean paused) {
      this(program, paused, "", USER);
    }
  }

  /** {@code reoptimize/<p>}: a new token starts a new round of sampling. */
  record Reoptimize(String program, String token) implements ControlRecord {}

  /** {@code plan/<p>/<epoch>}: an immutable plan. */
  record PlanPublished(PhysicalPlan plan) implements ControlRecord {}

  /**
   * {@code active/<p>}: the epoch that new documents are stamped with.
   *
   * @param share share of new documents in (0, 1]; below 1 the epoch is a canary
   * @param reason explanation for users
   * @param by author: {@code optimizer}, {@code governor} or a user
   * @param beside for a canary, the epoch of all other documents; for a change by the governor, the
   *     epoch that it replaces; otherwise null
   */
  @RecordBuilder
  record Activated(
      String program, long epoch, double share, String reason, String by, @Nullable Long beside)
      implements ControlRecord, ControlRecordActivatedBuilder.With {

    /** An activation without a second epoch. */
    public Activated(String program, long epoch, double share, String reason, String by) {
      this(program, epoch, share, reason, by, null);
    }

    public Activated {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("share " + share + " is not in (0, 1]");
      }
    }

    /** Whether a user has activated the plan, not the optimizer or its governor. */
    public boolean byUser() {
      return !by.equals(OPTIMIZER) && !by.equals(GOVERNOR);
    }
  }
}

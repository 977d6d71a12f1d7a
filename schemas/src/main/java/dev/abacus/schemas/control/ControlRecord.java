package dev.abacus.schemas.control;

import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Spending;
import org.jspecify.annotations.Nullable;

/**
 * A piece of desired state, as it stands on the control topic under its {@link ControlKey}. The
 * newest value of a key is in force; a tombstone removes it.
 */
public sealed interface ControlRecord {

  /** Who wrote a record that does not say who did. */
  String USER = "user";

  /** Who activates plans that a search found. */
  String OPTIMIZER = "optimizer";

  /** Who activates plans as spend, lag, outages and drift demand. */
  String GOVERNOR = "governor";

  /** Where it stands. */
  ControlKey key();

  /** {@code program/<p>}. */
  record ProgramSet(Program program) implements ControlRecord {
    @Override
    public ControlKey key() {
      return new ControlKey.ProgramKey(program.name());
    }
  }

  /** {@code objective/<p>}: overrides the program's own. */
  record ObjectiveSet(String program, Objective objective) implements ControlRecord {
    @Override
    public ControlKey key() {
      return new ControlKey.ObjectiveKey(program);
    }
  }

  /** {@code budget/<p>}: overrides the program's own, part by part. */
  record BudgetSet(String program, @Nullable SampleBudget budget, @Nullable Spending spending)
      implements ControlRecord {
    @Override
    public ControlKey key() {
      return new ControlKey.BudgetKey(program);
    }
  }

  /** {@code pin/<p>/<operator>}: the implementation to use whatever the optimizer thinks. */
  record Pinned(String program, String operator, PhysicalOperator physical)
      implements ControlRecord {
    @Override
    public ControlKey key() {
      return new ControlKey.PinKey(program, operator);
    }
  }

  /**
   * {@code paused/<p>}: {@code true}, or {@code {"paused": true, "reason": …, "by": …}}.
   *
   * @param reason why, in words; may be empty
   * @param by who: {@code governor} or a user
   */
  record Paused(String program, boolean paused, String reason, String by) implements ControlRecord {

    /** A pause by a user. */
    public Paused(String program, boolean paused) {
      this(program, paused, "", USER);
    }

    @Override
    public ControlKey key() {
      return new ControlKey.PausedKey(program);
    }
  }

  /** {@code reoptimize/<p>}: a new token asks for a new round of sampling. */
  record Reoptimize(String program, String token) implements ControlRecord {
    @Override
    public ControlKey key() {
      return new ControlKey.ReoptimizeKey(program);
    }
  }

  /** {@code plan/<p>/<epoch>}: an immutable plan. */
  record PlanPublished(PhysicalPlan plan) implements ControlRecord {
    @Override
    public ControlKey key() {
      return new ControlKey.PlanKey(plan.program(), plan.epoch());
    }
  }

  /**
   * {@code active/<p>}: the epoch that new documents are stamped with.
   *
   * @param share in (0, 1]; below 1 it is a canary beside the epoch that was active before
   * @param reason why, in words
   * @param by who: {@code optimizer}, {@code governor} or a user
   * @param beside of a canary, the epoch of all other documents; of a move of the governor, the
   *     epoch that it departs from; else null
   */
  record Activated(
      String program, long epoch, double share, String reason, String by, @Nullable Long beside)
      implements ControlRecord {

    /** An activation that stands for itself. */
    public Activated(String program, long epoch, double share, String reason, String by) {
      this(program, epoch, share, reason, by, null);
    }

    public Activated {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("share " + share + " is not in (0, 1]");
      }
    }

    @Override
    public ControlKey key() {
      return new ControlKey.ActiveKey(program);
    }
  }
}

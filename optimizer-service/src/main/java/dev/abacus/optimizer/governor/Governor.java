package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Spending;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Governs one program. {@link #take} folds a status report in, {@link #decide} says what to write
 * to the control topic. No clock of its own, no input, no output.
 *
 * <p>A plan that a user activated is left alone; only the spending cap still holds then. While a
 * canary runs, it is judged before anything else is moved.
 */
public final class Governor {

  private final GovernorSettings settings;
  private final Fleet fleet;
  private final SpendGuard spending;
  private final LagGuard lag;
  private final OutageGuard outages;
  private final DriftGuard drift;
  private final CanaryGuard canary;
  private final Set<Long> rolledBack;
  private Instant movedAt;
  private @Nullable String last;

  /** A governor that goes on from where another one was. */
  public Governor(GovernorSettings settings, GovernorState state) {
    this.settings = settings;
    this.fleet = new Fleet(state.readings(), state.totals(), state.judged());
    this.spending = new SpendGuard(state.spending());
    this.lag = new LagGuard(state.lag(), settings.dwell());
    this.outages = new OutageGuard(state.avoided(), settings.coolOff());
    this.drift = new DriftGuard(state.drift(), settings.block());
    this.canary = new CanaryGuard(settings.block());
    this.rolledBack = new TreeSet<>(state.rolledBack());
    this.movedAt = state.movedAt();
    this.last = state.last();
  }

  /** What is to be remembered. */
  public GovernorState state() {
    return new GovernorState(
        fleet.readings(),
        fleet.totals(),
        fleet.judged(),
        spending.state(),
        lag.state(),
        outages.state(),
        drift.state(),
        Set.copyOf(rolledBack),
        movedAt,
        last);
  }

  /** An instance reported. */
  public void take(InstanceStatus status) {
    spending.take(fleet.take(status));
  }

  /** What to write now, in this order; mostly nothing. */
  public List<ControlRecord> decide(Situation situation, Instant now) {
    PhysicalPlan active = situation.activePlan();
    ControlRecord.Activated activated = situation.active();
    if (active == null || activated == null) {
      return List.of();
    }
    Program program = situation.program();
    double scale = scale(active);
    double cost = scale * active.estimate().cost();
    spending.tick(program.spending(), now, fleet.backlog(now), cost);
    lag.tick(program.governance().lag(), fleet.backlog(now), now, active.estimate().latency());
    outages.tick(fleet.fresh(now), now);
    List<ControlRecord> moves = new ArrayList<>(pause(situation, now, cost));
    if (!situation.isHeld()) {
      moves.addAll(
          situation.isCanary()
              ? judge(situation, activated, active)
              : move(situation, activated, active, scale, now));
    }
    if (!moves.isEmpty()) {
      movedAt = now;
    }
    return moves;
  }

  /** What live documents cost relative to the estimate, once there are enough to tell. */
  private double scale(PhysicalPlan plan) {
    EpochCounts seen = fleet.total(plan.epoch());
    double estimate = plan.estimate().cost() * seen.documents();
    return seen.documents() < settings.block() || estimate <= 0 || seen.cost() <= 0
        ? 1
        : seen.cost() / estimate;
  }

  private List<ControlRecord> pause(Situation situation, Instant now, double cost) {
    String name = situation.program().name();
    Spending cap = situation.program().spending();
    boolean exhausted = spending.isExhausted(cap, fleet.pending(now), cost);
    if (cap != null && exhausted && situation.pause() == null) {
      return List.of(
          new ControlRecord.Paused(
              name,
              true,
              said(spending.reason(cap) + "; on again in the next window"),
              ControlRecord.GOVERNOR));
    }
    if (!exhausted && situation.isPausedByGovernor()) {
      return List.of(
          new ControlRecord.Paused(
              name, false, said("a new spending window"), ControlRecord.GOVERNOR));
    }
    return List.of();
  }

  private List<ControlRecord> judge(
      Situation situation, ControlRecord.Activated activated, PhysicalPlan active) {
    Long beside = activated.beside();
    if (beside == null || !situation.plans().containsKey(beside)) {
      return List.of();
    }
    CanaryGuard.Verdict verdict =
        canary.judge(active, fleet.total(active.epoch()), fleet.total(beside));
    if (verdict == null) {
      return List.of();
    }
    String name = situation.program().name();
    if (verdict.promoted()) {
      return List.of(activation(name, active.epoch(), said(verdict.reason()), null));
    }
    rolledBack.add(active.epoch());
    return List.of(activation(name, beside, said(verdict.reason()), active.epoch()));
  }

  private List<ControlRecord> move(
      Situation situation,
      ControlRecord.Activated activated,
      PhysicalPlan active,
      double scale,
      Instant now) {
    PhysicalPlan home = home(situation, activated, active);
    Set<String> avoid = outages.models(now);
    Double limit = spending.limit();
    PlanChoice best =
        new Alternatives(limit == null ? null : limit / scale, lag.limit(), avoid).best(home);
    boolean settled = Duration.between(movedAt, now).compareTo(settings.dwell()) >= 0;
    boolean failing = uses(active.choice(), avoid) && !uses(best, avoid);
    if (!best.steps().equals(active.steps())) {
      return settled || failing ? switchTo(situation, home, best, avoid, now) : List.of();
    }
    return situation.searching() ? List.of() : resample(situation, active);
  }

  private static boolean uses(PlanChoice plan, Set<String> models) {
    return plan.steps().stream()
        .flatMap(step -> step.physical().chatModels().stream())
        .anyMatch(models::contains);
  }

  /** The plan that the optimizer chose: what the governor returns to. */
  private PhysicalPlan home(
      Situation situation, ControlRecord.Activated activated, PhysicalPlan active) {
    Long beside = activated.beside();
    boolean away =
        activated.by().equals(ControlRecord.GOVERNOR)
            && beside != null
            && !rolledBack.contains(beside);
    PhysicalPlan home = away ? situation.plans().get(beside) : active;
    return home == null ? active : home;
  }

  private List<ControlRecord> switchTo(
      Situation situation, PhysicalPlan home, PlanChoice choice, Set<String> avoid, Instant now) {
    String name = situation.program().name();
    String reason = said(reason(situation, home, choice, avoid, now));
    if (choice.equals(home.choice())) {
      return List.of(activation(name, home.epoch(), reason, null));
    }
    for (PhysicalPlan known : situation.plans().values()) {
      if (known.choice().equals(choice)
          && known.objective().equals(home.objective())
          && known.frontier().equals(home.frontier())) {
        return List.of(activation(name, known.epoch(), reason, home.epoch()));
      }
    }
    PhysicalPlan plan =
        new PhysicalPlan(
            name, situation.nextEpoch(), choice, home.objective(), home.frontier(), home.basis());
    return List.of(
        new ControlRecord.PlanPublished(plan),
        activation(name, plan.epoch(), reason, home.epoch()));
  }

  private String reason(
      Situation situation, PhysicalPlan home, PlanChoice choice, Set<String> avoid, Instant now) {
    List<String> causes = new ArrayList<>();
    Spending cap = situation.program().spending();
    if (!avoid.isEmpty()) {
      causes.add("calls of " + String.join(", ", avoid) + " fail");
    }
    if (cap != null && spending.limit() != null) {
      causes.add(spending.reason(cap));
    }
    if (lag.limit() != null) {
      causes.add(
          "%d documents wait, %d may"
              .formatted(fleet.backlog(now), situation.program().governance().lag()));
    }
    String plan =
        String.format(
            Locale.ROOT,
            "quality %.3f, cost $%.6f, latency %.2f s per document",
            choice.estimate().quality(),
            choice.estimate().cost(),
            choice.estimate().latency());
    return causes.isEmpty()
        ? "back to the plan of epoch %d, nothing speaks against it any more".formatted(home.epoch())
        : String.join("; ", causes) + ": " + plan;
  }

  private List<ControlRecord> resample(Situation situation, PhysicalPlan active) {
    DriftGuard.Drift found =
        drift.tick(active, fleet.total(active.epoch()), fleet.judged(active.epoch()));
    if (found == null) {
      return List.of();
    }
    String token =
        "drift %d: %s; measured anew: %s"
            .formatted(active.epoch(), found.what(), found.measuredAnew());
    return List.of(new ControlRecord.Reoptimize(situation.program().name(), said(token)));
  }

  private String said(String reason) {
    last = reason;
    return reason;
  }

  private static ControlRecord.Activated activation(
      String program, long epoch, String reason, @Nullable Long beside) {
    return new ControlRecord.Activated(program, epoch, 1, reason, ControlRecord.GOVERNOR, beside);
  }
}

package dev.abacus.optimizer.governor;

import dev.abacus.optimizer.loop.ProgramDeployment;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.control.RoundReason;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Spending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Governs one program. {@link #take} folds status reports; {@link #decide} returns records for the
 * control topic. Has no clock and does no I/O.
 *
 * <p>If a user activated the plan, only the spending cap applies. While a canary runs, it is judged
 * before any other move.
 */
public final class Governor {

  private final GovernorSettings settings;
  private final FleetCounters fleet;
  private SpendGuard spending;
  private LagGuard lag;
  private OutageGuard outages;
  private final DriftGuard drift;
  private final CanaryGuard canary;
  private final Set<Long> rolledBack;
  private int corrected;
  private Instant movedAt;
  private @Nullable String last;

  /** Creates a governor that continues from a state. */
  public Governor(GovernorSettings settings, GovernorState state) {
    this.settings = settings;
    this.fleet = new FleetCounters(state.readings(), state.totals(), state.judged());
    this.spending = state.spending();
    this.lag = state.lag();
    this.outages = new OutageGuard(state.avoided());
    this.drift = new DriftGuard(state.drift());
    this.canary = new CanaryGuard(settings.leastDocuments());
    this.rolledBack = new TreeSet<>(state.rolledBack());
    this.corrected = state.corrected();
    this.movedAt = state.movedAt();
    this.last = state.last();
  }

  /** The present state. */
  public GovernorState state() {
    return new GovernorState(
        fleet.instances(),
        fleet.totals(),
        fleet.judged(),
        spending,
        lag,
        outages.avoided(),
        drift.state(),
        Set.copyOf(rolledBack),
        movedAt,
        last,
        corrected);
  }

  /** Takes in a status report of one instance. */
  public void take(InstanceStatus status) {
    spending = spending.plus(fleet.take(status));
  }

  /** Forgets the instances that are gone; returns their names. */
  public List<String> forget() {
    return fleet.forget();
  }

  /** What the active plan promises and what its live documents show; null without a plan. */
  public @Nullable PromiseReport report(ProgramDeployment governed) {
    PhysicalPlan active = governed.activePlan();
    return active == null
        ? null
        : PromiseReport.of(
            active, fleet.total(active.epoch()), fleet.judged(active.epoch()), governed.program());
  }

  /** The work of the data plane. */
  public Workload workload(ProgramDeployment governed, Instant now) {
    List<InstanceStatus> last = fleet.last(now);
    return new Workload(
        governed.program().sources(),
        governed.program().horizon() != null,
        governed.pause() != null,
        fleet.fresh(now).size(),
        last.stream().mapToLong(InstanceStatus::pending).sum(),
        last.stream()
            .filter(status -> !status.versions().isEmpty())
            .max(Comparator.comparing(InstanceStatus::at))
            .map(status -> status.versions().getLast().application())
            .orElse(null),
        seconds(governed.activePlan()));
  }

  /** Seconds per source document, measured if enough documents are measured. */
  private @Nullable Double seconds(@Nullable PhysicalPlan active) {
    if (active == null) {
      return null;
    }
    EpochCounts.Work done = fleet.total(active.epoch()).done();
    return done.sources() < settings.leastDocuments()
        ? active.estimate().latency()
        : done.seconds() / done.sources();
  }

  /**
   * The records to write now, in this order; usually none.
   *
   * @param examples number of examples that were made of corrected results
   */
  public List<ControlRecord> decide(ProgramDeployment governed, int examples, Instant now) {
    PhysicalPlan active = governed.activePlan();
    ControlRecord.Activated activated = governed.active();
    if (active == null || activated == null) {
      return List.of();
    }
    Program program = governed.program();
    double scale = scale(active);
    double cost = scale * active.estimate().cost();
    long backlog = fleet.backlog(now);
    spending = spending.tick(program.spending(), now, backlog, cost);
    lag =
        lag.tick(
            program.governance().lag(),
            backlog,
            now,
            active.estimate().latency(),
            settings.dwell());
    outages = outages.tick(fleet.fresh(now), now, settings.coolOff());
    List<ControlRecord> moves = new ArrayList<>(pause(governed, cost));
    if (!activated.byUser()) {
      moves.addAll(
          activated.share() < 1
              ? judge(governed, activated, active)
              : move(governed, activated, active, scale, examples, now));
    }
    if (!moves.isEmpty()) {
      movedAt = now;
    }
    return moves;
  }

  /**
   * Number of corrected results that are missing for a new round of sampling.
   *
   * @param examples number of examples that were made of corrected results
   */
  public int correctionsToNextRound(int examples) {
    return Math.max(0, settings.corrections() - (examples - corrected));
  }

  /**
   * Ratio of measured to estimated cost of a source document; 1 until enough documents are
   * measured.
   */
  private double scale(PhysicalPlan plan) {
    EpochCounts.Work done = fleet.total(plan.epoch()).done();
    double estimate = plan.estimate().cost() * done.sources();
    return done.sources() < settings.leastDocuments() || estimate <= 0 || done.costUsd() <= 0
        ? 1
        : done.costUsd() / estimate;
  }

  private List<ControlRecord> pause(ProgramDeployment governed, double cost) {
    String name = governed.program().name();
    Spending cap = governed.program().spending();
    ControlRecord.Paused pause = governed.pause();
    boolean exhausted = spending.isExhausted(cap, cost);
    if (cap != null && exhausted && pause == null) {
      return List.of(
          new ControlRecord.Paused(
              name,
              true,
              said(spending.reason(cap) + "; continues in the next window"),
              ControlRecord.GOVERNOR));
    }
    if (!exhausted && pause != null && pause.by().equals(ControlRecord.GOVERNOR)) {
      return List.of(
          new ControlRecord.Paused(
              name, false, said("a new spending window"), ControlRecord.GOVERNOR));
    }
    return List.of();
  }

  private List<ControlRecord> judge(
      ProgramDeployment governed, ControlRecord.Activated activated, PhysicalPlan active) {
    Long beside = activated.beside();
    if (beside == null || !governed.plans().containsKey(beside)) {
      return List.of();
    }
    CanaryGuard.Verdict verdict =
        canary.judge(
            active, fleet.total(active.epoch()), fleet.total(beside), fleet.judged(active.epoch()));
    if (verdict == null) {
      return List.of();
    }
    String name = governed.program().name();
    if (verdict.promoted()) {
      return List.of(activation(name, active.epoch(), said(verdict.reason()), null));
    }
    rolledBack.add(active.epoch());
    return List.of(activation(name, beside, said(verdict.reason()), active.epoch()));
  }

  private List<ControlRecord> move(
      ProgramDeployment governed,
      ControlRecord.Activated activated,
      PhysicalPlan active,
      double scale,
      int examples,
      Instant now) {
    PhysicalPlan chosen = chosen(governed, activated, active);
    if (PlanCheck.examplesMistake(chosen, governed.program()) != null) {
      return List.of(); // The optimizer replaces it; an alternative would contain the examples too.
    }
    Set<String> avoid = outages.models(now);
    Double limit = spending.limit();
    PlanChoice best =
        new PlanConstraints(limit == null ? null : limit / scale, lag.limit(), avoid).best(chosen);
    boolean settled = Elapsed.isOver(settings.dwell(), movedAt, now);
    boolean failing = active.choice().callsAny(avoid) && !best.callsAny(avoid);
    if (!best.hasStepsOf(active.choice())) {
      return settled || failing ? switchTo(governed, chosen, best, avoid, now) : List.of();
    }
    return governed.searching() ? List.of() : resample(governed, active, examples, now);
  }

  /** The plan that the optimizer chose; the governor returns to it. */
  private PhysicalPlan chosen(
      ProgramDeployment governed, ControlRecord.Activated activated, PhysicalPlan active) {
    Long beside = activated.beside();
    boolean away =
        activated.by().equals(ControlRecord.GOVERNOR)
            && beside != null
            && !rolledBack.contains(beside);
    PhysicalPlan chosen = away ? governed.plans().get(beside) : active;
    return chosen == null ? active : chosen;
  }

  private List<ControlRecord> switchTo(
      ProgramDeployment governed,
      PhysicalPlan chosen,
      PlanChoice choice,
      Set<String> avoid,
      Instant now) {
    String name = governed.program().name();
    String reason = said(reason(governed, chosen, choice, avoid, now));
    if (choice.equals(chosen.choice())) {
      return List.of(activation(name, chosen.epoch(), reason, null));
    }
    for (PhysicalPlan known : governed.plans().values()) {
      if (known.choice().equals(choice)
          && known.objective().equals(chosen.objective())
          && known.frontier().equals(chosen.frontier())) {
        return List.of(activation(name, known.epoch(), reason, chosen.epoch()));
      }
    }
    PhysicalPlan plan =
        new PhysicalPlan(name, governed.nextEpoch(), choice, chosen.objective(), chosen.frontier())
            .with(chosen.basis(), null, chosen.required())
            .withGraded(chosen.graded());
    return List.of(
        new ControlRecord.PlanPublished(plan),
        activation(name, plan.epoch(), reason, chosen.epoch()));
  }

  private String reason(
      ProgramDeployment governed,
      PhysicalPlan chosen,
      PlanChoice choice,
      Set<String> avoid,
      Instant now) {
    List<String> causes = new ArrayList<>();
    Spending cap = governed.program().spending();
    if (!avoid.isEmpty()) {
      causes.add("calls of " + String.join(", ", avoid) + " fail");
    }
    if (cap != null && spending.limit() != null) {
      causes.add(spending.reason(cap));
    }
    if (lag.limit() != null) {
      causes.add(
          "%d documents wait, %d may"
              .formatted(fleet.backlog(now), governed.program().governance().lag()));
    }
    boolean sameAnswers =
        ServiceTier.withoutTiers(choice.signature())
            .equals(ServiceTier.withoutTiers(chosen.choice().signature()));
    String plan =
        String.format(
            Locale.ROOT,
            "%squality %.3f, cost $%.6f, latency %.2f s per document",
            sameAnswers && !causes.isEmpty() ? "the same answers at another service tier, " : "",
            choice.estimate().quality(),
            choice.estimate().cost(),
            choice.estimate().latency());
    return causes.isEmpty()
        ? "back to the plan of epoch %d, nothing speaks against it any more"
            .formatted(chosen.epoch())
        : String.join("; ", causes) + ": " + plan;
  }

  private List<ControlRecord> resample(
      ProgramDeployment governed, PhysicalPlan active, int examples, Instant now) {
    if (correctionsToNextRound(examples) == 0) {
      int more = examples - corrected;
      corrected = examples;
      return round(governed, RoundReason.feedback(active.epoch(), more));
    }
    DriftGuard.Drift found =
        drift.tick(
            active,
            fleet.total(active.epoch()),
            fleet.judged(active.epoch()),
            governed.program().validation(),
            watched(governed.program()),
            fleet.inFlight(now));
    if (found == null) {
      return List.of();
    }
    return round(governed, RoundReason.drift(active.epoch(), found.what(), found.measuredAnew()));
  }

  private List<ControlRecord> round(ProgramDeployment governed, String token) {
    return List.of(new ControlRecord.Reoptimize(governed.program().name(), said(token)));
  }

  /** What a decision depends on: of the search by the objective, or of a guard. */
  private static Set<Dimension> watched(Program program) {
    Set<Dimension> watched = EnumSet.copyOf(program.objective().dimensions());
    if (program.spending() != null) {
      watched.add(Dimension.COST);
    }
    if (program.governance().lag() != null) {
      watched.add(Dimension.LATENCY);
    }
    return watched;
  }

  /**
   * The judge's scores of the implementations of the active plan, by operator. Epochs in which a
   * classifier answered for the implementation do not count, and nothing does after a drift. Empty
   * if the program does not let live outputs be judged.
   */
  public Map<String, Map<String, QualityCounts>> judged(ProgramDeployment governed) {
    Map<String, Map<String, QualityCounts>> judged = new HashMap<>();
    PhysicalPlan plan = governed.activePlan();
    if (plan == null || governed.program().governance().judge() == null) {
      return judged;
    }
    for (PlanStep step : plan.steps()) {
      if (drift.hasDrifted(plan, step)) {
        continue;
      }
      String operator = step.logical().id();
      governed
          .plans()
          .forEach((epoch, other) -> {
            QualityCounts counts = fleet.judged(epoch).get(operator);
            if (counts != null
                && other.isStepOfAll(step)
                && !other.learned().containsKey(operator)
                && !other.isOrdered(operator)) {
              judged
                  .computeIfAbsent(operator, _ -> new HashMap<>())
                  .merge(
                      ServiceTier.withoutTiers(step.physical().id()), counts, QualityCounts::plus);
            }
          });
    }
    return judged;
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

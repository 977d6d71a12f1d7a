package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.input.OperatorInputs;
import dev.abacus.optimizer.loop.state.BudgetMeter;
import dev.abacus.optimizer.loop.state.PlanFit;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.state.StampedTask;
import dev.abacus.optimizer.loop.wholeplan.OperatorDependence;
import dev.abacus.optimizer.loop.wholeplan.PlanConfirmation;
import dev.abacus.optimizer.loop.wholeplan.PlanReplay;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.StepEstimate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where the search for a plan stands, all in all: what to sample next, whether it is over and why,
 * and the best plan so far. Follows from the fold alone.
 *
 * <p>The search is over when the policy wants nothing more or the budget cannot pay for it. Then a
 * change of the objective costs nothing either: the samples there are decide again. New ones are
 * needed only if the best plan misses a bound of the new objective, or the objective has bounds and
 * there is but one plan to choose from; if there is budget left, the bandit then goes on under the
 * new objective.
 */
public final class Decision {

  private final ProgramSnapshot view;
  private final OperatorInputs inputs;
  private final WavePlanner planner;
  private final PlanChooser chooser;
  private final TaskFactory tasks;
  private final DoubleFunction<BudgetMeter> budget;
  private final OperatorDependence dependence;

  private final WavePlanner.Wave wave;
  private final List<StampedTask> evidence = new ArrayList<>();
  private final List<StampedTask> along = new ArrayList<>();
  private final boolean over;
  private final @Nullable SearchResult best;

  /**
   * Searches.
   *
   * @param plans all that were published for the program
   * @param planAwaited whether a plan is wanted though samples are out
   */
  public Decision(
      ProgramSnapshot view,
      Strategy strategy,
      TaskFactory tasks,
      OperatorDependence dependence,
      DoubleFunction<BudgetMeter> budget,
      Iterable<PhysicalPlan> plans,
      boolean planAwaited) {
    this.view = view;
    this.inputs = new OperatorInputs(view);
    this.planner = strategy.planner();
    this.chooser = strategy.chooser();
    this.tasks = tasks;
    this.budget = budget;
    this.dependence = dependence;
    if (view.isWaiting()) {
      wave = new WavePlanner.Wave(List.of(), new Proposal(List.of(), Map.of()));
      over = false;
      best = planAwaited ? choose(false) : null;
    } else {
      BudgetMeter meter = meter();
      wave = wave(view.program().objective(), meter);
      SearchResult found = choose(true);
      boolean enough = found != null && suffices(found) && wasOver(plans);
      if (!enough) {
        evidence.addAll(evidence(meter));
      }
      boolean sampled = enough || (wave.isEmpty() && evidence.isEmpty());
      SearchResult decided = sampled && found != null ? decide(found) : found;
      over = sampled && along.isEmpty();
      best = over ? decided : choose(false);
    }
  }

  /** The last part: whole plans. */
  private SearchResult decide(SearchResult found) {
    if (!dependence.exists() || found.frontier().size() < 2) {
      return found;
    }
    PlanConfirmation whole =
        new PlanConfirmation(view, dependence, beliefs(), found, planner.order(view));
    BudgetMeter meter = budget.apply(0);
    for (PlanConfirmation.Wanted wanted : whole.wanted()) {
      PlanReplay.Missing missing = wanted.missing();
      StampedTask sample = tasks.alongPlan(missing, wanted.exampleId(), along.size());
      if (!tasks.isKnown(sample.task().id())
          && meter.reserve(sample.task(), missing.operator().id(), true)) {
        along.add(sample);
      }
    }
    return whole.result();
  }

  private Map<String, Map<Arm, Belief>> beliefs() {
    return chooser.beliefs(view, planner.situation(view, inputs, view.program().objective()));
  }

  private @Nullable SearchResult choose(boolean last) {
    return chooser.choose(view, planner.situation(view, inputs, view.program().objective()), last);
  }

  /** Without what is kept for the end of the search. */
  private BudgetMeter meter() {
    return budget.apply(dependence.exists() ? BudgetMeter.WHOLE_PLANS_SHARE : 0);
  }

  private WavePlanner.Wave wave(Objective objective, BudgetMeter meter) {
    return planner.next(view, inputs, objective, meter, tasks);
  }

  /** Labelled examples to embed beside the wave. */
  private List<StampedTask> evidence(BudgetMeter meter) {
    return new EvidencePlanner(view, inputs, planner.order(view))
        .next(meter, tasks, !wave.isEmpty(), wave.samples().size());
  }

  private boolean suffices(SearchResult found) {
    return found.feasible()
        && (found.frontier().size() > 1 || view.program().objective().bounds().isEmpty());
  }

  /** Whether it was over under an objective that a plan for this very program was chosen for. */
  private boolean wasOver(Iterable<PhysicalPlan> plans) {
    Set<Objective> objectives = new LinkedHashSet<>();
    for (PhysicalPlan plan : plans) {
      if (PlanFit.isFor(plan, view.program())) {
        objectives.add(plan.objective());
      }
    }
    objectives.remove(view.program().objective());
    return objectives.stream().anyMatch(objective -> wave(objective, meter()).isEmpty());
  }

  /** Samples to draw now; empty while others are out, and when the search is over. */
  public List<StampedTask> samples() {
    if (over) {
      return List.of();
    }
    List<StampedTask> samples = new ArrayList<>(along);
    if (along.isEmpty()) {
      samples.addAll(wave.samples());
      samples.addAll(evidence);
    }
    return List.copyOf(samples);
  }

  public boolean over() {
    return over;
  }

  /** The best plan by what is known; null while some operator has no implementation to choose. */
  public @Nullable SearchResult best() {
    return best;
  }

  /** How sure the estimates of these plans are. */
  Map<String, Map<String, StepEstimate>> basis(Collection<PlanChoice> plans) {
    return chooser.basis(view, planner.situation(view, inputs, view.program().objective()), plans);
  }

  /** What was wanted, and of which operators nothing more is. */
  Proposal proposal() {
    return wave.proposal();
  }

  /** Why the search is over, in words. */
  String ending() {
    if (!wave.proposal().pulls().isEmpty()) {
      return wave.isEmpty() ? "the budget is spent" : "no new sample is needed";
    }
    return wave.proposal().conclusions().values().stream()
            .allMatch(conclusion -> conclusion == Proposal.Conclusion.ONE_LEFT)
        ? "one implementation is left of each operator"
        : "there is nothing more to sample";
  }
}

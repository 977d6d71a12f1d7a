package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.budget.BudgetMeter;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.input.OperatorInputs;
import dev.abacus.optimizer.loop.input.SampleRequest;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.loop.state.DesiredState;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.state.ProgramState;
import dev.abacus.optimizer.loop.state.SampledOperator;
import dev.abacus.optimizer.loop.wholeplan.CrossFitting;
import dev.abacus.optimizer.loop.wholeplan.PlanRace;
import dev.abacus.optimizer.loop.wholeplan.PlanReplay;
import dev.abacus.optimizer.loop.wholeplan.ReachedOperators;
import dev.abacus.optimizer.loop.wholeplan.UncertainPlan;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.Outlook;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.sampling.Stakes;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Horizon;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the {@link Decision} for a snapshot of a program. The decision depends on the snapshot
 * alone.
 *
 * <p>The search is finished when the policy wants no more samples, because none is worth its price
 * or for another reason, or its part of the budget cannot pay for them. Then the best plans are
 * measured on examples that the search did not use ({@link PlanRace}). If then only the objective
 * changes, the present samples decide again. New samples are drawn under the new objective only if
 * the best plan misses one of its bounds, or if it has bounds and the frontier holds a single plan.
 */
public final class DecisionMaker {

  /**
   * The sampling policy of one set of priors, and what depends on it.
   *
   * @param priors what the policy started from; other priors need another policy
   * @param seed shuffles the examples
   * @param pipelined whether all operators are sampled in the same waves
   * @param fullSamples samples after which an implementation may be chosen while sampling is in
   *     progress, unless the policy wants another number
   * @param arms cache: the features of an implementation are extracted once
   */
  public record Strategy(
      Priors priors,
      long seed,
      boolean pipelined,
      SearchOptions search,
      SamplingPolicy policy,
      int fullSamples,
      Confirmation confirmation,
      Map<PhysicalOperator, Arm> arms) {}

  /**
   * What one decision is made of.
   *
   * @param best the plan so far; null if there is none before sampling is finished
   */
  private record Turn(PlanChooser chooser, @Nullable SearchResult best, WavePlanner.Wave wave) {}

  private final ProgramSnapshot snapshot;
  private final ProgramState programState;
  private final Strategy strategy;
  private final TaskFactory tasks;
  private final ReachedOperators reached;
  private final OperatorInputs inputs;
  private final HeldBackRuns heldBack;
  private final WavePlanner planner;

  /** Creates a decision maker for the present snapshot of a state. */
  public DecisionMaker(ProgramSnapshot snapshot, ProgramState state, Strategy strategy) {
    this.snapshot = snapshot;
    this.programState = state;
    this.strategy = strategy;
    this.tasks = new TaskFactory(snapshot, state.ledger(), state.hashes());
    this.reached = ReachedOperators.of(snapshot.program());
    this.inputs = new OperatorInputs(snapshot);
    this.heldBack = new HeldBackRuns(snapshot, strategy, reached);
    this.planner = new WavePlanner(snapshot, inputs, strategy, heldBack);
  }

  /** Decides. */
  public Decision decide() {
    if (snapshot.isWaiting()) {
      return whileWaiting();
    }
    SamplingState state = planner.state();
    SamplingState measured = planner.withAllEvidence(state);
    Beliefs beliefs = PlanChooser.beliefs(strategy, snapshot, measured);
    PlanChooser chooser = new PlanChooser(strategy, snapshot, state, beliefs);
    SearchResult best = chooser.choose(false);
    SearchResult last = best == null ? chooser.choose(true) : best;
    BudgetMeter meter = budgetForOperators();
    boolean settled = last != null && keepsBounds(last.chosen(), beliefs);
    WavePlanner.Wave wave = planner.next(state.withStakes(settled ? stakes() : null), meter, tasks);
    Turn turn = new Turn(chooser, best, wave);
    boolean sufficient = last != null && suffices(last) && wasFinished(state);
    List<DrawnSample> evidence = sufficient ? List.of() : evidence(meter, wave);
    if (!sufficient && !(wave.isEmpty() && evidence.isEmpty())) {
      List<DrawnSample> samples = new ArrayList<>(wave.samples());
      samples.addAll(evidence);
      return sampling(samples, best, turn);
    }
    return last == null
        ? new Decision(List.of(), ending(wave), null, beliefs, wave.proposal(), null, null)
        : raced(last, turn);
  }

  /**
   * Whether the active plan does not fit the program, so that a new one is wanted even while
   * samples are outstanding.
   */
  private boolean isPlanAwaited() {
    return !programState.desired().fits(programState.desired().chosenPlan(), snapshot.program());
  }

  private Confirmation confirmation() {
    return strategy.confirmation();
  }

  /** The plans that were published for the program. */
  private Stream<PhysicalPlan> plans() {
    return programState.desired().plans().values().stream()
        .filter(plan -> DesiredState.isFor(plan, snapshot.program()));
  }

  /** Whether a plan keeps its bounds with the required probability. */
  private boolean keepsBounds(PlanChoice plan, Beliefs beliefs) {
    return beliefs.unknownOutputs(plan).isEmpty()
        && UncertainPlan.of(plan, beliefs).probability(snapshot.program().objective())
            >= confirmation().boundProbability();
  }

  /**
   * What further samples are for; null if they need not pay, since the program states no horizon. A
   * search that was finished before a restart is not continued before it is known again for how
   * many documents.
   */
  private @Nullable Stakes stakes() {
    Horizon horizon = snapshot.program().horizon();
    if (horizon == null) {
      return null;
    }
    boolean unknownAgain =
        horizon.documents() == null && snapshot.live().arrivals() == null && isPromised();
    return new Stakes(
        unknownAgain ? 0 : snapshot.live().documents(horizon),
        snapshot.totals().judgeUsd() / Math.max(1, snapshot.observed()),
        confirmation().tolerance());
  }

  /** Whether a search for the objective in force has promised a plan. */
  private boolean isPromised() {
    return plans()
        .filter(plan -> plan.objective().equals(snapshot.program().objective()))
        .anyMatch(plan -> plan.promise() != null);
  }

  /** Compares the best plans on examples that the search did not use. */
  private Decision raced(SearchResult settled, Turn turn) {
    Beliefs beliefs = turn.chooser().beliefs();
    PlanRace.Conditions conditions = heldBack.conditions(settled.chosen(), beliefs);
    if (conditions.runs() == 0) {
      return crossFitted(settled, turn);
    }
    PlanRace race = new PlanRace(new PlanReplay(snapshot, reached.ids(), beliefs), conditions);
    PlanRace.Finalists finalists =
        turn.chooser().finalists(settled, heldBack.implementations(true));
    List<DrawnSample> samples = reserve(race.missing(finalists));
    if (!samples.isEmpty()) {
      return sampling(samples, turn.best(), turn);
    }
    UncertainPlan winner = finalists.winner();
    if (!race.isConfirmed(winner.plan())) {
      UncertainPlan confirmed =
          turn.chooser().confirmed(heldBack.implementations(false), race::notRunTogether);
      if (confirmed != null
          && !confirmed.isShownWorse(
              winner, snapshot.program().objective(), confirmation().boundProbability())) {
        winner = confirmed;
      }
    }
    List<DrawnSample> judgements = judgements(winner.plan());
    return judgements.isEmpty()
        ? decided(settled, race.outcome(winner), turn)
        : sampling(judgements, settled, turn);
  }

  /** Labelled outputs of a plan that the judge has not scored, if it scores live outputs. */
  private List<DrawnSample> judgements(PlanChoice plan) {
    if (snapshot.program().governance().judge() == null) {
      return List.of();
    }
    List<DrawnSample> missing = new ArrayList<>();
    for (PlanStep step : plan.allSteps()) {
      SampledOperator sampled = snapshot.sampled(step.logical());
      if (sampled.isMean()) {
        sampled.labelled(step.physical()).stream()
            .map(tasks::judgement)
            .filter(task -> tasks.mayIssue(task.task()))
            .forEach(missing::add);
      }
    }
    return missing;
  }

  /** Runs the plans that are chosen without a part of the examples on this part. */
  private Decision crossFitted(SearchResult settled, Turn turn) {
    PlanChooser chooser = turn.chooser();
    List<CrossFitting.Fold> folds = chooser.folds(heldBack.folds());
    if (folds.isEmpty()) {
      return ended(settled, null, turn);
    }
    CrossFitting fitting =
        new CrossFitting(
            new PlanReplay(snapshot, reached.ids(), chooser.beliefs()),
            folds,
            confirmation().boundProbability());
    List<DrawnSample> samples = reserve(fitting.missing());
    return samples.isEmpty()
        ? decided(settled, fitting.outcome(chooser.finalists(settled, Map.of()).winner()), turn)
        : sampling(samples, turn.best(), turn);
  }

  private Decision decided(SearchResult settled, PlanRace.Outcome outcome, Turn turn) {
    return ended(
        snapshot.learned().equip(settled.with(outcome.winner(), snapshot.program().objective())),
        outcome.promise(),
        turn);
  }

  private Decision ended(SearchResult best, @Nullable PlanPromise promise, Turn turn) {
    return new Decision(
        List.of(),
        ending(turn.wave()),
        best,
        turn.chooser().beliefs(),
        turn.wave().proposal(),
        promise,
        promise == null ? unpromised(best.chosen()) : null);
  }

  /** Why the best plan was not measured. */
  private String unpromised(PlanChoice plan) {
    if (confirmation().share() == 0) {
      return "the measurement of plans is off";
    }
    if (reached.semantic(snapshot.program()).isEmpty()) {
      return "all its operators process several documents at once";
    }
    if (snapshot.availability().isStalled()
        || plan.allSteps().stream()
            .anyMatch(
                step -> snapshot.availability().isLeftOut(step.logical().id(), step.physical()))) {
      return "a model does not answer";
    }
    return !heldBack.unused().isEmpty() || !heldBack.folds().isEmpty()
        ? "the budget does not pay for its measurement"
        : "there are too few examples to measure it";
  }

  /** Draws the samples, or waits for a model of theirs without a plan by a part of them. */
  private Decision sampling(List<DrawnSample> samples, @Nullable SearchResult best, Turn turn) {
    boolean paused = isPaused(samples);
    return Decision.sampling(
        paused ? List.of() : tasks.numbered(samples),
        paused && !isPlanAwaited() ? null : best,
        turn.chooser().beliefs(),
        turn.wave().proposal());
  }

  /**
   * Whether the search waits for a model of the wave. The wave is issued as a whole, and until then
   * no plan is decided on a part of it.
   */
  private boolean isPaused(List<DrawnSample> wave) {
    return wave.stream().anyMatch(sample -> snapshot.availability().isPaused(sample.task()));
  }

  private String ending(WavePlanner.Wave wave) {
    Proposal proposal = wave.proposal();
    if (snapshot.availability().isStalled()) {
      return "the other samples wait for models";
    }
    if (!proposal.pulls().isEmpty()) {
      return wave.isEmpty()
          ? "the search's part of the budget is spent"
          : "no new sample is needed";
    }
    Horizon horizon = snapshot.program().horizon();
    if (horizon != null && !proposal.outlooks().isEmpty()) {
      double documents = snapshot.live().documents(horizon);
      return proposal.outlooks().values().stream()
          .reduce(Outlook::or)
          .orElseThrow()
          .clause(documents);
    }
    return proposal.conclusions().values().stream()
            .allMatch(conclusion -> conclusion == Proposal.Conclusion.ONE_LEFT)
        ? "one implementation is left of each operator"
        : "there is nothing more to sample";
  }

  private Decision whileWaiting() {
    Proposal nothing = new Proposal(List.of(), Map.of());
    if (!isPlanAwaited()) {
      return Decision.sampling(List.of(), null, Beliefs.NONE, nothing);
    }
    PlanChooser chooser = PlanChooser.of(strategy, snapshot, planner.state());
    return Decision.sampling(List.of(), chooser.choose(false), chooser.beliefs(), nothing);
  }

  /** The budget without the share that is kept for confirming plans. */
  private BudgetMeter budgetForOperators() {
    return programState.budget(snapshot.program(), confirmation().share());
  }

  /** Labelled examples to embed together with the wave. */
  private List<DrawnSample> evidence(BudgetMeter meter, WavePlanner.Wave wave) {
    return new EvidencePlanner(snapshot, inputs, tasks, meter, planner.order())
        .next(!wave.isEmpty());
  }

  private boolean suffices(SearchResult found) {
    return found.feasible()
        && (found.frontier().size() > 1 || snapshot.program().objective().bounds().isEmpty());
  }

  /** Whether sampling was finished under another objective that this program had before. */
  private boolean wasFinished(SamplingState state) {
    Map<Objective, Boolean> settled = new LinkedHashMap<>();
    plans().forEach(plan -> settled.merge(plan.objective(), plan.feasible(), Boolean::logicalOr));
    settled.remove(state.objective());
    return settled.entrySet().stream()
        .map(before ->
            state.withObjective(before.getKey()).withStakes(before.getValue() ? stakes() : null))
        .anyMatch(before -> planner.next(before, budgetForOperators(), tasks).isEmpty());
  }

  /** The tasks for missing steps, as far as the budget pays for them. */
  private List<DrawnSample> reserve(List<SampleRequest> missing) {
    BudgetMeter meter = programState.budget(snapshot.program(), 0);
    List<DrawnSample> runs = new ArrayList<>();
    for (SampleRequest sample : missing) {
      DrawnSample task = tasks.ofPlan(sample);
      if (tasks.mayIssue(task.task())) {
        runs.add(task);
      }
    }
    List<DrawnSample> samples = new ArrayList<>();
    BatchedSamples batches = new BatchedSamples(snapshot, inputs, tasks);
    for (List<DrawnSample> call : batches.calls(runs, planner.searchable())) {
      SampleTask first = call.getFirst().task();
      List<SampleTask> paid = call.stream().map(DrawnSample::task).toList();
      if (meter.reserve(paid, first.operator().id(), true)) {
        samples.addAll(call);
      }
    }
    return samples;
  }
}

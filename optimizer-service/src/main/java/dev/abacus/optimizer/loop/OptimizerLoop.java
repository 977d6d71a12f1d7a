package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.LoopStatus.Phase;
import dev.abacus.optimizer.loop.decide.ActivationPolicy;
import dev.abacus.optimizer.loop.decide.Decision;
import dev.abacus.optimizer.loop.decide.DecisionMaker;
import dev.abacus.optimizer.loop.decide.DecisionMaker.Strategy;
import dev.abacus.optimizer.loop.decide.PlanChooser;
import dev.abacus.optimizer.loop.decide.TaskFactory;
import dev.abacus.optimizer.loop.decide.WavePlanner;
import dev.abacus.optimizer.loop.state.CostForecast;
import dev.abacus.optimizer.loop.state.DesiredState;
import dev.abacus.optimizer.loop.state.ParameterLearner;
import dev.abacus.optimizer.loop.state.PlanFit;
import dev.abacus.optimizer.loop.state.PriorBeliefs;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.state.ProgramState;
import dev.abacus.optimizer.loop.state.SampleLedger;
import dev.abacus.optimizer.loop.state.SampleStamp;
import dev.abacus.optimizer.loop.wholeplan.OperatorDependence;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.prior.BelievedPriors;
import dev.abacus.optimizer.sampling.prior.LearntOperator;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Program;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The paper's Algorithm 1 for one program, as an event loop. {@link #apply} folds events into its
 * {@link ProgramState}, {@link #decide} says what to do: samples by a {@link Decision}, plans by a
 * {@link ActivationPolicy}. Pure: no clock, no input, no output. The state is nothing but the fold,
 * so a loop that has been given all records of the topics goes on where the one before it was,
 * without paying for a sample twice; and the same records and seed give the same plan, byte for
 * byte.
 *
 * <p>A new {@code reoptimize} token grants the budget once more. Samples known stay known: the
 * search goes on from where it ended. What failed before is tried again, as the reason may be gone.
 *
 * <p>Not safe for use by several threads.
 */
public final class OptimizerLoop {

  private final String name;
  private final LoopSettings settings;
  private final ProgramState state;
  private Strategy strategy;
  private @Nullable LoopStatus status;

  /** A loop that has learnt nothing yet, and fits classifiers while it decides. */
  public OptimizerLoop(String program, LoopSettings settings) {
    this(program, settings, Runnable::run);
  }

  /**
   * A loop that has learnt nothing yet.
   *
   * @param fitting where classifiers are fitted, which may take a minute. While one is, nothing is
   *     decided that could depend on it; so the plan is the same, however long it takes, and {@link
   *     #decide} has something to say when it is there
   */
  public OptimizerLoop(String program, LoopSettings settings, Executor fitting) {
    this.name = program;
    this.settings = settings;
    this.state =
        new ProgramState(
            program,
            settings.searchSpace(),
            new SampleLedger(settings.patience()),
            new CostForecast(settings.catalogue()),
            new PriorBeliefs(program, settings.priors(), settings.catalogue()),
            new ParameterLearner(fitting));
    this.strategy = strategy(settings, Priors.NONE);
  }

  /**
   * Learns of an event.
   *
   * @return null if it was taken in; otherwise why it is refused, and nothing has changed
   */
  public @Nullable String apply(LoopEvent event) {
    switch (event) {
      case LoopEvent.ControlSet(ControlRecord record) -> {
        return state.set(record);
      }
      case LoopEvent.PriorsGiven(String json) -> {
        return state.give(json);
      }
      case LoopEvent.ControlRemoved(ControlKey key) -> state.remove(key);
      case LoopEvent.ExampleSet(ValidationExample example) -> state.setExample(example);
      case LoopEvent.ExampleRemoved(String exampleId) -> state.removeExample(exampleId);
      case LoopEvent.SampleIssued(SampleTask task, SampleStamp stamp) -> state.issued(task, stamp);
      case LoopEvent.Observed(Observation observation) -> state.observed(observation);
      case LoopEvent.Transferred(BelievedPriors priors) -> state.transferred(priors);
      case LoopEvent.Lesson(String program, String operator, LearntOperator learnt) ->
          state.learnt(program, operator, learnt);
      case LoopEvent.Tick(Instant now) -> state.tick(now);
    }
    return null;
  }

  /**
   * Says what to do now, and takes it for done: it must be carried out, all of it or, after a
   * crash, none. Empty if nothing was learnt since the last call.
   */
  public List<LoopAction> decide() {
    if (!state.isUndecided()) {
      return List.of();
    }
    ProgramSnapshot view = state.view();
    if (view == null) {
      status = null;
      state.decided();
      return List.of();
    }
    List<LoopAction> actions = new ArrayList<>(takeOver(view));
    Decision decision = decision(view);
    new ActivationPolicy(state.desired(), view, decision)
        .records()
        .forEach(record -> actions.add(new LoopAction.Publish(record)));
    if (!state.desired().paused()) {
      decision
          .samples()
          .forEach(
              sample -> actions.add(new LoopAction.IssueSample(sample.task(), sample.stamp())));
    }
    if (decision.finished()) {
      state
          .beliefs()
          .lessons(view)
          .forEach((operator, lesson) -> actions.add(new LoopAction.Teach(name, operator, lesson)));
    }
    actions.forEach(action -> apply(action.carriedOut()));
    status =
        new StatusReport(state.desired(), view, decision, state.beliefs().problem())
            .status(state.budget(view.program(), 0));
    state.decided();
    return actions;
  }

  /** What other programs have learnt, taken over when there is something to begin with. */
  private List<LoopAction> takeOver(ProgramSnapshot view) {
    BelievedPriors priors =
        view.hasExamples()
            ? state.beliefs().transfer(state.desired().token(), state.isRoundBegun())
            : null;
    if (priors == null) {
      return List.of();
    }
    state.beliefs().transferred(priors);
    return List.of(new LoopAction.Believe(name, priors));
  }

  private static Strategy strategy(LoopSettings settings, Priors believed) {
    SamplingPolicy policy = settings.policy().apply(believed);
    return new Strategy(
        believed,
        new WavePlanner(settings.seed(), policy, settings.pipelined()),
        new PlanChooser(settings.search(), policy, settings.fullSamples()));
  }

  private Decision decision(ProgramSnapshot view) {
    Priors believed = state.beliefs().priors();
    if (!believed.equals(strategy.priors())) {
      strategy = strategy(settings, believed);
    }
    DesiredState desired = state.desired();
    DecisionMaker maker =
        new DecisionMaker(
            view,
            strategy,
            new TaskFactory(view, state.ledger(), state.hashes(), state.desired().token()),
            settings.confirmPlans()
                ? OperatorDependence.of(view.program())
                : OperatorDependence.NONE,
            withheld -> state.budget(view.program(), withheld),
            desired.plans().values());
    return maker.decide(!new PlanFit(view.program(), desired.pins()).fits(desired.chosenPlan()));
  }

  /** How things stand after the last decision; null if there is no program. */
  public @Nullable LoopStatus status() {
    return status;
  }

  /** What is wanted and what is active; null if there is no program. */
  public @Nullable ProgramDeployment standing() {
    DesiredState desired = state.desired();
    Program program = desired.program();
    LoopStatus now = status;
    return program == null
        ? null
        : new ProgramDeployment(
            program,
            desired.active(),
            desired.plans(),
            desired.nextEpoch(),
            desired.pause(),
            now == null || now.phase() == Phase.SAMPLING);
  }
}

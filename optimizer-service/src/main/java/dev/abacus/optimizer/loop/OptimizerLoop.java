package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.LoopStatus.Phase;
import dev.abacus.optimizer.loop.budget.CostForecast;
import dev.abacus.optimizer.loop.decide.ActivationPolicy;
import dev.abacus.optimizer.loop.decide.Decision;
import dev.abacus.optimizer.loop.decide.DecisionMaker;
import dev.abacus.optimizer.loop.decide.DecisionMaker.Strategy;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.loop.event.SampleLedger;
import dev.abacus.optimizer.loop.review.ReviewChooser;
import dev.abacus.optimizer.loop.state.DesiredState;
import dev.abacus.optimizer.loop.state.ParameterLearner;
import dev.abacus.optimizer.loop.state.PriorBeliefs;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.state.ProgramState;
import dev.abacus.optimizer.sampling.prior.RoundPriors;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The paper's Algorithm 1 for one program as an event loop. {@link #apply} folds events into {@link
 * ProgramState}; {@link #decide} returns actions: samples by {@link DecisionMaker}, plans by {@link
 * ActivationPolicy}. It has no clock, input or output. The state is a function of the events, so a
 * loop that is given all records of the topics continues where its predecessor stopped, and no
 * sample is paid for twice. The same records and seed yield the same plan, byte for byte.
 *
 * <p>A new {@code reoptimize} token grants the budget again. Known samples still count, so the
 * search continues where it ended, but failed samples are drawn again, because the cause may be
 * gone.
 *
 * <p>Not thread-safe.
 */
public final class OptimizerLoop {

  private final String name;
  private final LoopSettings settings;
  private final ProgramState state;
  private Strategy strategy;
  private @Nullable LoopStatus status;

  /** The state of the last decision, if documents are asked about it. */
  private @Nullable ProgramSnapshot reviewed;

  /** Creates a loop without events that fits classifiers inside {@link #decide}. */
  public OptimizerLoop(String program, LoopSettings settings) {
    this(program, settings, Runnable::run);
  }

  /**
   * Creates a loop without events.
   *
   * @param fitting runs the fits of classifiers, which may take a minute. During a fit no decision
   *     that depends on it is made, so the plan does not depend on its duration; {@link #decide}
   *     returns actions again after it
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
            new ParameterLearner(fitting),
            settings.evidence());
    this.strategy = strategy(settings, Priors.NONE);
  }

  /**
   * Applies an event.
   *
   * @return null if it was applied; else why it is refused, and nothing changed
   */
  public @Nullable String apply(LoopEvent event) {
    return state.apply(event);
  }

  /**
   * Decides, and applies the events that follow: the caller must write all of them, or none after a
   * crash. Returns an empty list if nothing changed since the last call.
   */
  public List<LoopEvent.Caused> decide() {
    if (!state.isUndecided()) {
      return List.of();
    }
    ProgramSnapshot view = state.view();
    if (view == null) {
      status = null;
      state.decided();
      return List.of();
    }
    reviewed = view.program().review() > 0 ? view : null;
    List<LoopEvent.Caused> actions = new ArrayList<>(takeOver(view));
    Decision decision = decision(view);
    new ActivationPolicy(
            state.desired(), view, decision, settings.confirmation().boundProbability())
        .records()
        .forEach(record -> actions.add(new LoopEvent.ControlSet(record)));
    if (!state.desired().paused()) {
      actions.addAll(decision.samples());
    }
    if (decision.finished()) {
      state
          .beliefs()
          .unpublished(view)
          .forEach((operator, learned) ->
              actions.add(new LoopEvent.OperatorLearned(name, operator, learned)));
    }
    actions.forEach(action -> apply(action));
    status =
        new StatusReport(state.desired(), view, decision, settings, state.beliefs().problem())
            .status(state.budget(view.program(), 0));
    // Who deleted the samples may have kept their observations, and none comes a second time.
    if (actions.stream().noneMatch(this::isObserved)) {
      state.decided();
    }
    return actions;
  }

  private boolean isObserved(LoopEvent.Caused action) {
    return action instanceof DrawnSample issued && state.ledger().isObserved(issued.task().id());
  }

  /** Transfers what other programs learned when a round begins and there are examples. */
  private List<LoopEvent.Caused> takeOver(ProgramSnapshot view) {
    RoundPriors priors =
        view.hasExamples()
            ? state.beliefs().transfer(state.desired().token(), state.isRoundBegun())
            : null;
    if (priors == null) {
      return List.of();
    }
    state.beliefs().transferred(priors);
    return List.of(new LoopEvent.Transferred(priors));
  }

  private static Strategy strategy(LoopSettings settings, Priors believed) {
    return new Strategy(
        believed,
        settings.seed(),
        settings.pipelined(),
        settings.search(),
        settings.policy().apply(believed),
        settings.fullSamples(),
        settings.confirmation(),
        new HashMap<>());
  }

  private Decision decision(ProgramSnapshot view) {
    Priors believed = state.beliefs().priors();
    if (!believed.equals(strategy.priors())) {
      strategy = strategy(settings, believed);
    }
    return new DecisionMaker(view, state, strategy).decide();
  }

  /** The status after the last decision; null if there is no program. */
  public @Nullable LoopStatus status() {
    return status;
  }

  /** Ids of all validation examples. */
  public Set<String> exampleIds() {
    return state.exampleIds();
  }

  /** The example as it is on the validation topic; null if there is none. */
  public @Nullable ValidationExample example(String id) {
    return state.given(id);
  }

  /**
   * Chooses documents to ask labels for, by the state of the last decision; null if the program
   * asks for none.
   */
  public @Nullable ReviewChooser reviews() {
    return reviewed == null ? null : new ReviewChooser(reviewed);
  }

  /** The activation in force; null if there is none. */
  public ControlRecord.@Nullable Activated active() {
    return state.desired().active();
  }

  /** The desired and the active state; null if there is no program. */
  public @Nullable ProgramDeployment deployment() {
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
            now == null
                || now.phase() == Phase.SAMPLING
                || now.phase() == Phase.WAITING_FOR_MODELS);
  }
}

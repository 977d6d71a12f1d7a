package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.cascades.SearchResult;
import dev.abacus.optimizer.cost.Priors;
import dev.abacus.optimizer.loop.LoopStatus.Phase;
import dev.abacus.optimizer.prior.BelievedPriors;
import dev.abacus.optimizer.prior.LearntOperator;
import dev.abacus.optimizer.sampler.SamplingPolicy;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The paper's Algorithm 1 for one program, as an event loop. {@link #apply} folds events into its
 * state, {@link #decide} says what to do. Pure: no clock, no input, no output. The state is nothing
 * but the fold, so a loop that has been given all records of the topics goes on where the one
 * before it was, without paying for a sample twice; and the same records and seed give the same
 * plan, byte for byte.
 *
 * <h2>When plans are published</h2>
 *
 * <ul>
 *   <li>A program without semantic operators has one plan: at once.
 *   <li>The first plan: as soon as every semantic operator has an implementation with j samples, of
 *       which one gave an answer and one a score. Documents are waiting for it.
 *   <li>While the search goes on: after every wave of samples whose best plan has other steps than
 *       the active one.
 *   <li>When the search is over: the best plan, also if only its estimate or frontier is new.
 *   <li>When objective, program or pins no longer fit the active plan: at once, from what is known,
 *       if that is enough for a plan.
 * </ul>
 *
 * <p>A plan that somebody else activated is left alone until the program, the objective or the
 * {@code reoptimize} token is set.
 *
 * <p>A new {@code reoptimize} token grants the budget once more. Samples known stay known: the
 * search goes on from where it ended. What failed before is tried again, as the reason may be gone.
 *
 * <p>Not safe for use by several threads.
 */
public final class OptimizerLoop {

  private final String name;
  private final LoopSettings settings;
  private WavePlanner planner;
  private PlanChooser chooser;

  private final DesiredState desired = new DesiredState();
  private final SampleLedger ledger;
  private final CostForecast forecast;
  private final Fingerprints fingerprints = new Fingerprints();
  private final Learning learning = new Learning();
  private final Beliefs beliefs;
  private Priors believed = Priors.NONE;
  private final Map<String, ValidationExample> examples = new TreeMap<>();
  private Map<String, List<PhysicalOperator>> searchSpace = Map.of();
  private Dependence dependence = new Dependence("", Set.of(), Set.of());

  /** Whether something was learnt since the last decision. */
  private boolean undecided = true;

  private @Nullable LoopStatus status;

  /** A loop that has learnt nothing yet. */
  public OptimizerLoop(String program, LoopSettings settings) {
    this.name = program;
    this.settings = settings;
    SamplingPolicy policy = settings.policy().apply(believed);
    this.planner = new WavePlanner(settings.seed(), policy, settings.pipelined());
    this.chooser = new PlanChooser(settings.search(), policy, settings.fullSamples());
    this.ledger = new SampleLedger(settings.patience());
    this.forecast = new CostForecast(settings.catalogue());
    this.beliefs = new Beliefs(program, settings);
  }

  /**
   * Learns of an event.
   *
   * @return null if it was taken in; otherwise why it is refused, and nothing has changed
   */
  public @Nullable String apply(LoopEvent event) {
    boolean news = true;
    String refusal = null;
    switch (event) {
      case LoopEvent.ControlSet(ControlRecord record) -> refusal = set(record);
      case LoopEvent.ControlRemoved(ControlKey key) -> desired.remove(key);
      case LoopEvent.ExampleSet(ValidationExample example) -> {
        examples.put(example.id(), example);
        fingerprints.forget();
      }
      case LoopEvent.ExampleRemoved(String exampleId) -> {
        examples.remove(exampleId);
        fingerprints.forget();
      }
      case LoopEvent.SampleIssued issued -> news = ledger.issue(issued.task(), issued.stamp());
      case LoopEvent.Observed(Observation observation) -> {
        news = ledger.observe(observation);
        if (news) {
          forecast.learn(observation);
        }
      }
      case LoopEvent.PriorsGiven(String json) -> refusal = beliefs.give(json);
      case LoopEvent.Transferred(BelievedPriors priors) -> beliefs.transferred(priors);
      case LoopEvent.Lesson(String program, String operator, LearntOperator learnt) -> {
        beliefs.learnt(program, operator, learnt);
        // What others learn is taken over when a round begins; until then it decides nothing.
        news = false;
      }
      case LoopEvent.Tick tick -> news = ledger.tick(tick.now());
    }
    undecided |= news;
    return refusal;
  }

  private @Nullable String set(ControlRecord record) {
    if (!record.key().program().equals(name)) {
      return "a record of program '%s' in the loop of '%s'".formatted(record.key().program(), name);
    }
    if (record instanceof ControlRecord.ProgramSet(Program program)) {
      try {
        searchSpace = settings.searchSpace().apply(program);
        beliefs.program(program, searchSpace);
        dependence = Dependence.of(program);
        fingerprints.forget();
      } catch (IllegalArgumentException e) {
        return e.getMessage();
      }
    }
    return desired.set(record);
  }

  /**
   * Says what to do now, and takes it for done: it must be carried out, all of it or, after a
   * crash, none. Empty if nothing was learnt since the last call.
   */
  public List<LoopAction> decide() {
    if (!undecided) {
      return List.of();
    }
    undecided = false;
    Program program = desired.program();
    if (program == null) {
      status = null;
      return List.of();
    }
    String round = desired.token();
    ProgramView view =
        new ProgramView(
            program, arms(program), usable(examples), ledger, fingerprints, learning, round);
    List<LoopAction> actions = new ArrayList<>(takeOver(view, round));
    believe();
    Search search =
        new Search(
            view,
            planner,
            chooser,
            new TaskFactory(view, ledger, fingerprints, round),
            dependence,
            withheld -> new BudgetMeter(program, forecast, ledger, round, withheld),
            desired.plans().values(),
            !fits(desired.chosenPlan(), program));
    actions.addAll(plan(view, search));
    if (!desired.paused()) {
      actions.addAll(search.samples());
    }
    if (search.over()) {
      actions.addAll(beliefs.lessons(view));
    }
    actions.forEach(this::take);
    status = status(view, search, new BudgetMeter(program, forecast, ledger, round, 0));
    undecided = false;
    return actions;
  }

  /** What other programs have learnt, taken over when there is something to begin with. */
  private List<LoopAction> takeOver(ProgramView view, String round) {
    BelievedPriors priors =
        view.hasExamples() ? beliefs.transfer(round, ledger.isBegun(round)) : null;
    if (priors == null) {
      return List.of();
    }
    beliefs.transferred(priors);
    return List.of(new LoopAction.Believe(name, priors));
  }

  /** Policies start from what is believed; with other beliefs it is another policy. */
  private void believe() {
    Priors now = beliefs.priors();
    if (!now.equals(believed)) {
      believed = now;
      SamplingPolicy policy = settings.policy().apply(now);
      planner = new WavePlanner(settings.seed(), policy, settings.pipelined());
      chooser = new PlanChooser(settings.search(), policy, settings.fullSamples());
    }
  }

  /** How things stand after the last decision; null if there is no program. */
  public @Nullable LoopStatus status() {
    return status;
  }

  /** What is wanted and what is active; null if there is no program. */
  public @Nullable Standing standing() {
    Program program = desired.program();
    LoopStatus now = status;
    return program == null
        ? null
        : new Standing(
            program,
            desired.active(),
            desired.plans(),
            desired.nextEpoch(),
            desired.pause(),
            now == null || now.phase() == Phase.SAMPLING);
  }

  private void take(LoopAction action) {
    switch (action) {
      case LoopAction.IssueSample(var task, var stamp) ->
          apply(new LoopEvent.SampleIssued(task, stamp));
      case LoopAction.Publish(ControlRecord record) -> apply(new LoopEvent.ControlSet(record));
      case LoopAction.Believe(String _, BelievedPriors priors) ->
          apply(new LoopEvent.Transferred(priors));
      case LoopAction.Teach(String program, String operator, LearntOperator learnt) ->
          apply(new LoopEvent.Lesson(program, operator, learnt));
    }
  }

  /** Without copies of live documents, where there is better. */
  private static Map<String, ValidationExample> usable(Map<String, ValidationExample> examples) {
    Map<String, ValidationExample> given = new TreeMap<>(examples);
    given
        .values()
        .removeIf(example ->
            example.id().startsWith(LoopSettings.COPIED_EXAMPLE) && example.labels().isEmpty());
    return given.isEmpty() ? examples : given;
  }

  private Map<String, List<PhysicalOperator>> arms(Program program) {
    Map<String, List<PhysicalOperator>> arms = new LinkedHashMap<>();
    for (LogicalOperator operator : program.semanticOperators()) {
      PhysicalOperator pinned = desired.pins().get(operator.id());
      arms.put(
          operator.id(),
          pinned == null ? searchSpace.getOrDefault(operator.id(), List.of()) : List.of(pinned));
    }
    return arms;
  }

  private List<LoopAction> plan(ProgramView view, Search search) {
    SearchResult best = search.best();
    if (best == null || desired.held()) {
      return List.of();
    }
    Program program = view.program();
    PhysicalPlan plan =
        new PhysicalPlan(
            name,
            desired.nextEpoch(),
            best.chosen(),
            program.objective(),
            PublishedFrontier.of(best.frontier(), best.chosen(), program.objective()));
    String reason = reason(view, search, plan);
    return reason == null
        ? List.of()
        : List.of(
            new LoopAction.Publish(new ControlRecord.PlanPublished(sure(plan, search))),
            new LoopAction.Publish(
                activation(
                    plan, reason + ": " + Wording.promise(plan.choice(), plan.objective()))));
  }

  /** The plan, with how sure its estimates and those of its frontier are. */
  private static PhysicalPlan sure(PhysicalPlan plan, Search search) {
    List<PlanChoice> plans = new ArrayList<>(plan.frontier());
    plans.add(plan.choice());
    return new PhysicalPlan(
        plan.program(),
        plan.epoch(),
        plan.choice(),
        plan.objective(),
        plan.frontier(),
        search.basis(plans));
  }

  /** For all documents; or for a share of them, where the program asks for a canary. */
  private ControlRecord.Activated activation(PhysicalPlan plan, String reason) {
    Program program = Objects.requireNonNull(desired.program());
    Double share = program.governance().canary();
    ControlRecord.Activated active = desired.active();
    PhysicalPlan before = desired.activePlan();
    if (share != null
        && active != null
        && before != null
        && active.share() == 1
        && fits(before, program)
        && !before.steps().equals(plan.steps())) {
      return new ControlRecord.Activated(
          name, plan.epoch(), share, reason, ControlRecord.OPTIMIZER, active.epoch());
    }
    return new ControlRecord.Activated(name, plan.epoch(), 1, reason, ControlRecord.OPTIMIZER);
  }

  /** Why the plan should take the place of the active one; null if it should not. */
  private @Nullable String reason(ProgramView view, Search search, PhysicalPlan plan) {
    Program program = view.program();
    PhysicalPlan active = desired.chosenPlan();
    String after = Wording.samples(view.observed());
    if (program.semanticOperators().isEmpty() && (active == null || differs(active, plan))) {
      return "the program needs no model, there is one plan";
    }
    if (active == null) {
      return (search.over() ? "search finished after " : "first plan, after ") + after;
    }
    if (!Search.isFor(active, program)) {
      return "program changed, decided on " + after;
    }
    if (!active.objective().equals(program.objective())) {
      return "objective changed to %s, decided on %s".formatted(program.objective(), after);
    }
    if (breaksPin(active)) {
      return "an operator was pinned, decided on " + after;
    }
    if (search.over() && differs(active, plan)) {
      return "search finished after %s (%s)".formatted(after, search.ending());
    }
    // A canary takes its time; it is for what the whole search found.
    boolean waveDone = view.outstanding() == 0 && program.governance().canary() == null;
    return waveDone && !active.steps().equals(plan.steps()) ? "better plan after " + after : null;
  }

  private static boolean differs(PhysicalPlan active, PhysicalPlan plan) {
    return !active.choice().equals(plan.choice())
        || !active.objective().equals(plan.objective())
        || !active.frontier().equals(plan.frontier());
  }

  /** Whether a plan is for the program, the objective and the pins as they are now. */
  private boolean fits(@Nullable PhysicalPlan plan, Program program) {
    return plan != null
        && Search.isFor(plan, program)
        && plan.objective().equals(program.objective())
        && !breaksPin(plan);
  }

  private boolean breaksPin(PhysicalPlan plan) {
    for (PlanStep step : plan.steps()) {
      PhysicalOperator pinned = desired.pins().get(step.logical().id());
      if (pinned != null && !Learnt.isOf(pinned, step.physical())) {
        return true;
      }
    }
    return false;
  }

  private LoopStatus status(ProgramView view, Search search, BudgetMeter budget) {
    PhysicalPlan active = desired.activePlan();
    ControlRecord.Activated activated = desired.active();
    double judge = view.judgeUsd();
    Phase phase = phase(view, search);
    return new LoopStatus(
        name,
        phase,
        budget.samples(),
        view.observed(),
        view.outstanding() + (desired.paused() ? 0 : search.samples().size()),
        budget.budget() instanceof SampleBudget.Invocations(int samples) ? samples : null,
        budget.budget() instanceof SampleBudget.Dollars(double usd) ? usd : null,
        view.spentUsd() + judge,
        judge,
        activated == null ? null : activated.epoch(),
        view.program().objective().toString(),
        active == null ? null : active.feasible(),
        active == null ? null : active.choice().signature(),
        message(phase, view, search));
  }

  private Phase phase(ProgramView view, Search search) {
    boolean semantic = !view.program().semanticOperators().isEmpty();
    if (semantic && !view.hasExamples() && view.issued() == 0) {
      return Phase.WAITING_FOR_EXAMPLES;
    }
    if (search.over()) {
      return search.best() == null ? Phase.STUCK : Phase.FINISHED;
    }
    return desired.paused() ? Phase.PAUSED : Phase.SAMPLING;
  }

  private String message(Phase phase, ProgramView view, Search search) {
    ControlRecord.Activated active = desired.active();
    String plan =
        active == null
            ? "no plan yet"
            : desired.held()
                ? Wording.held(active)
                : "epoch " + active.epoch() + ": " + active.reason();
    if (beliefs.problem() != null) {
      plan += "; the priors that were given are not used: " + beliefs.problem();
    }
    return switch (phase) {
      case WAITING_FOR_EXAMPLES ->
          "waiting for validation examples on topic '%s'; %s"
              .formatted(view.program().validation().topic(), plan);
      case STUCK -> "no plan can be made: " + Wording.stuck(view, search);
      case SAMPLING, PAUSED, FINISHED -> plan;
    };
  }
}

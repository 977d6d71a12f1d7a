package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.EvidenceSource;
import dev.abacus.optimizer.loop.budget.BudgetMeter;
import dev.abacus.optimizer.loop.budget.CostForecast;
import dev.abacus.optimizer.loop.event.Arrivals;
import dev.abacus.optimizer.loop.event.ContentHashes;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.loop.event.SampleLedger;
import dev.abacus.optimizer.loop.prompt.FieldOrder;
import dev.abacus.optimizer.sampling.prior.LearnedOperator;
import dev.abacus.optimizer.sampling.prior.RoundPriors;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fold of all events of one program. Makes no decisions; remembers whether anything changed
 * since the last decision.
 */
public final class ProgramState {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramState.class);

  private final String name;
  private final Function<Program, Map<String, List<PhysicalOperator>>> space;

  private final DesiredState desired;
  private final SampleLedger ledger;
  private final CostForecast forecast;
  private final ContentHashes hashes = new ContentHashes();
  private final ParameterLearner learning;
  private final PriorBeliefs beliefs;
  private final List<EvidenceSource> sources;

  /** As they are on the topic, and as operators see them. */
  private final Map<String, ValidationExample> given = new TreeMap<>();

  private final Map<String, ValidationExample> examples = new TreeMap<>();
  private Map<String, List<PhysicalOperator>> searchSpace = Map.of();
  private final WorkerReports reports = new WorkerReports();
  private LiveCounts live = LiveCounts.NONE;
  private @Nullable ModelAvailability availability;
  private boolean undecided = true;

  /**
   * The state before the first event.
   *
   * @param space the implementations of every operator of a program, by operator id
   * @param sources kinds of evidence beside samples
   */
  public ProgramState(
      String program,
      Function<Program, Map<String, List<PhysicalOperator>>> space,
      SampleLedger ledger,
      CostForecast forecast,
      PriorBeliefs beliefs,
      ParameterLearner learning,
      List<EvidenceSource> sources) {
    this.name = program;
    this.desired = new DesiredState(program);
    this.space = space;
    this.ledger = ledger;
    this.forecast = forecast;
    this.beliefs = beliefs;
    this.learning = learning;
    this.sources = List.copyOf(sources);
  }

  /** Ids of all examples. */
  public Set<String> exampleIds() {
    return Set.copyOf(given.keySet());
  }

  /**
   * Applies an event.
   *
   * @return null if it was applied; else why it is refused, and nothing changed
   */
  public @Nullable String apply(LoopEvent event) {
    switch (event) {
      case LoopEvent.ControlSet(ControlRecord record) -> {
        undecided = true;
        return set(record);
      }
      case LoopEvent.PriorsGiven(String json) -> {
        undecided = true;
        return beliefs.give(json);
      }
      case LoopEvent.ControlRemoved(ControlKey key) -> {
        undecided = true;
        desired.remove(key);
      }
      case LoopEvent.ExampleSet(ValidationExample example) -> {
        undecided = true;
        given.put(example.id(), example);
        redact(example);
        hashes.clear();
      }
      case LoopEvent.ExampleRemoved(String exampleId) -> {
        undecided = true;
        given.remove(exampleId);
        examples.remove(exampleId);
        hashes.clear();
      }
      case DrawnSample issued -> undecided |= ledger.issue(issued);
      case LoopEvent.Observed(Observation observation) -> {
        if (ledger.observe(observation)) {
          undecided = true;
          forecast.learn(observation);
        }
      }
      case LoopEvent.Transferred(RoundPriors priors) -> {
        undecided = true;
        beliefs.transferred(priors);
      }
      // Transferred to this program when a round begins, so no decision changes now.
      case LoopEvent.OperatorLearned(String program, String operator, LearnedOperator learned) ->
          beliefs.learned(program, operator, learned);
      case LoopEvent.WorkerReported(InstanceStatus status) -> {
        undecided |= reports.add(status, ledger.now());
        follow(live.with(reports, examples.values()));
      }
      case LoopEvent.Judged(Map<String, Map<String, QualityCounts>> judged) ->
          follow(live.afterJudging(judged));
      case LoopEvent.Arriving(Arrivals arrivals) -> {
        Program program = desired.program();
        // Only the horizon of a program is about them.
        if (program != null && program.horizon() != null) {
          follow(live.with(arrivals));
        }
      }
      case LoopEvent.Tick(Instant now) -> tick(now);
    }
    return null;
  }

  private @Nullable String set(ControlRecord record) {
    if (!record.key().program().equals(name)) {
      return "a record of program '%s' in the loop of '%s'".formatted(record.key().program(), name);
    }
    if (record instanceof ControlRecord.ProgramSet(Program program)) {
      try {
        searchSpace = space.apply(program);
        beliefs.program(program, searchSpace);
        hashes.clear();
      } catch (IllegalArgumentException e) {
        return e.getMessage();
      }
    }
    String refusal = desired.set(record);
    if (record instanceof ControlRecord.ProgramSet && refusal == null) {
      given.values().forEach(this::redact);
    }
    return refusal;
  }

  private void redact(ValidationExample example) {
    Program program = desired.program();
    try {
      examples.put(
          example.id(), program == null ? example : example.read(program).redacted(program));
    } catch (InvalidDocumentException e) {
      LOG.warn("The example {} of {} is left out: {}", example.id(), name, e.getMessage());
      examples.remove(example.id());
    }
  }

  private void follow(LiveCounts counted) {
    undecided |= !counted.equals(live);
    live = counted;
  }

  private void tick(Instant now) {
    Instant before = ledger.now();
    undecided |= ledger.tick(now) || now.isBefore(before);
    undecided |= reports.tick(ledger.now());
    undecided |= availability != null && availability.changes(before, ledger.now());
  }

  /** Whether anything changed since {@link #decided}. */
  public boolean isUndecided() {
    return undecided || learning.hasNews();
  }

  /** Marks the present state as decided on. */
  public void decided() {
    undecided = false;
  }

  /** The fold of the control topic. */
  public DesiredState desired() {
    return desired;
  }

  /** The priors. */
  public PriorBeliefs beliefs() {
    return beliefs;
  }

  /** A snapshot for the current program; null if there is none. */
  public @Nullable ProgramSnapshot view() {
    Program stated = desired.program();
    if (stated == null) {
      return null;
    }
    Map<String, ValidationExample> usable = ProgramDefinition.usable(examples, ledger);
    Program program = FieldOrder.applied(stated, usable.values(), this::ordered);
    Map<String, List<PhysicalOperator>> arms = arms(program);
    availability =
        ModelAvailability.of(
            arms,
            needsJudge(program, usable.values()) ? program.judge() : null,
            ledger,
            desired.token(),
            reports.models());
    return ProgramSnapshot.of(
        new ProgramDefinition(
            program,
            arms,
            usable,
            ProgramDefinition.shownOnly(examples, usable),
            desired.token(),
            availability,
            live,
            implementations(),
            sources),
        ledger,
        hashes,
        learning);
  }

  /** An operator as the chosen plan, or else the latest sample, has it; null if neither does. */
  private @Nullable LogicalOperator ordered(String operator) {
    PhysicalPlan plan = desired.chosenPlan();
    Stream<LogicalOperator> planned =
        plan == null ? Stream.of() : plan.steps().stream().map(PlanStep::logical);
    Stream<LogicalOperator> sampled = ledger.samples().map(drawn -> drawn.task().operator());
    // The latest comes last.
    return Stream.concat(sampled, planned)
        .filter(one -> one.id().equals(operator))
        .reduce((_, latest) -> latest)
        .orElse(null);
  }

  private static boolean needsJudge(Program program, Collection<ValidationExample> examples) {
    return program.semanticOperators().stream()
        .anyMatch(operator ->
            examples.stream()
                .anyMatch(example ->
                    SampleTask.needsJudge(
                        operator,
                        example.label(operator.id()),
                        ContentHashes.metrics(program, operator))));
  }

  /** Whether a sample of the current round was issued. */
  public boolean isRoundBegun() {
    return ledger.isBegun(desired.token());
  }

  /**
   * The budget that is left in the current round.
   *
   * @param withheld share of the budget, in [0, 1), that is kept back
   */
  public BudgetMeter budget(Program program, double withheld) {
    return BudgetMeter.of(program, forecast, withheld, added(program))
        .charge(ledger, desired.token(), issued -> counts(issued.task(), issued.stamp(), program))
        .withLive(examples.keySet().stream().filter(ExampleIds::isLive).count());
  }

  /** Ids of the operators that are not in every published plan: they were added or changed. */
  private Set<String> added(Program program) {
    return program.semanticOperators().stream()
        .filter(operator ->
            desired.plans().values().stream()
                .anyMatch(plan -> !DesiredState.carriesOut(plan, operator)))
        .map(LogicalOperator::id)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether a sample is of an operator as it is now, and of the implementation that it may use. */
  private boolean counts(SampleTask task, SampleStamp stamp, Program program) {
    LogicalOperator operator = program.operator(task.operator().id());
    PhysicalOperator pinned = desired.pins().get(task.operator().id());
    return operator != null
        && !SampledOperator.isJudgement(task)
        && (!ExampleIds.isLive(task.exampleId()) || examples.containsKey(task.exampleId()))
        && stamp.definition().equals(hashes.definition(program, operator))
        && (pinned == null || task.evidenceOnly() || task.physical().id().equals(pinned.id()));
  }

  /** All sample tasks that were ever issued. */
  public SampleLedger ledger() {
    return ledger;
  }

  /** The cached hashes of the program and the examples. */
  public ContentHashes hashes() {
    return hashes;
  }

  /** The example as it is on the topic; null if there is none. */
  public @Nullable ValidationExample given(String id) {
    return given.get(id);
  }

  /** Ids of the implementations of the active plan, by operator. */
  private Map<String, String> implementations() {
    Map<String, String> active = new TreeMap<>();
    PhysicalPlan plan = desired.chosenPlan();
    if (plan != null) {
      plan.steps().forEach(step -> active.put(step.logical().id(), step.physical().id()));
    }
    return active;
  }

  /** The implementations of the search space, or the pinned one, by operator id. */
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
}

package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.sampling.prior.BelievedPriors;
import dev.abacus.optimizer.sampling.prior.LearntOperator;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All that a loop knows: the fold of the events of one program. It decides nothing; it remembers
 * whether anything new was learnt since the last decision.
 */
public final class ProgramState {

  /**
   * Begins the ids of validation examples that are but copies of live documents. Without a label
   * they count only while there are no others.
   */
  public static final String COPIED_EXAMPLE = "stream:";

  private final String name;
  private final Function<Program, Map<String, List<PhysicalOperator>>> space;

  private final DesiredState desired = new DesiredState();
  private final SampleLedger ledger;
  private final CostForecast forecast;
  private final ContentHashes hashes = new ContentHashes();
  private final ParameterLearner learning;
  private final PriorBeliefs beliefs;
  private final Map<String, ValidationExample> examples = new TreeMap<>();
  private Map<String, List<PhysicalOperator>> searchSpace = Map.of();
  private boolean undecided = true;

  /**
   * The state before the first event.
   *
   * @param space the implementations of every operator of a program, by operator id
   */
  public ProgramState(
      String program,
      Function<Program, Map<String, List<PhysicalOperator>>> space,
      SampleLedger ledger,
      CostForecast forecast,
      PriorBeliefs beliefs,
      ParameterLearner learning) {
    this.name = program;
    this.space = space;
    this.ledger = ledger;
    this.forecast = forecast;
    this.beliefs = beliefs;
    this.learning = learning;
  }

  /**
   * Takes a record of the control topic in.
   *
   * @return null if it was taken in; otherwise why it is refused, and nothing has changed
   */
  public @Nullable String set(ControlRecord record) {
    undecided = true;
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
    return desired.set(record);
  }

  /** Takes a tombstone of the control topic in. */
  public void remove(ControlKey key) {
    undecided = true;
    desired.remove(key);
  }

  /** A validation example came, or replaced the one of the same id. */
  public void setExample(ValidationExample example) {
    undecided = true;
    examples.put(example.id(), example);
    hashes.clear();
  }

  /** A validation example was removed. */
  public void removeExample(String exampleId) {
    undecided = true;
    examples.remove(exampleId);
    hashes.clear();
  }

  /** A sample task is on its topic. */
  public void issued(SampleTask task, SampleStamp stamp) {
    undecided |= ledger.issue(task, stamp);
  }

  /** A sample task was carried out. */
  public void observed(Observation observation) {
    if (ledger.observe(observation)) {
      undecided = true;
      forecast.learn(observation);
    }
  }

  /**
   * A user gives priors, or null to take them back.
   *
   * @return null if they were taken in; otherwise why they are refused, and nothing has changed
   */
  public @Nullable String give(@Nullable String priors) {
    undecided = true;
    return beliefs.give(priors);
  }

  /** This was taken over from other programs; null to forget it. */
  public void transferred(@Nullable BelievedPriors priors) {
    undecided = true;
    beliefs.transferred(priors);
  }

  /**
   * A search learnt something. What others learn is taken over when a round begins; until then it
   * decides nothing.
   */
  public void learnt(String program, String operator, @Nullable LearntOperator learnt) {
    beliefs.learnt(program, operator, learnt);
  }

  /** Time goes by. */
  public void tick(Instant now) {
    undecided |= ledger.tick(now);
  }

  /** Whether something was learnt since {@link #decided}. */
  public boolean isUndecided() {
    return undecided || learning.hasNews();
  }

  /** All that is known by now has been decided on. */
  public void decided() {
    undecided = false;
  }

  /** The newest wishes, plans and activation. */
  public DesiredState desired() {
    return desired;
  }

  /** What is believed of implementations before they are sampled. */
  public PriorBeliefs beliefs() {
    return beliefs;
  }

  /** What counts for the program as it stands; null if there is none. */
  public @Nullable ProgramSnapshot view() {
    Program program = desired.program();
    return program == null
        ? null
        : new ProgramSnapshot(
            program, arms(program), usableExamples(), ledger, hashes, learning, desired.token());
  }

  /** Whether samples of the present round were issued. */
  public boolean isRoundBegun() {
    return ledger.isBegun(desired.token());
  }

  /**
   * What is left of the budget of the present round.
   *
   * @param withheld part of it, in [0, 1), that is not to be touched
   */
  public BudgetMeter budget(Program program, double withheld) {
    return new BudgetMeter(program, forecast, ledger, desired.token(), withheld);
  }

  /** All sample tasks that were ever issued. */
  public SampleLedger ledger() {
    return ledger;
  }

  /** The cached hashes of the program and the examples. */
  public ContentHashes hashes() {
    return hashes;
  }

  /** Without copies of live documents, where there is better. */
  private Map<String, ValidationExample> usableExamples() {
    Map<String, ValidationExample> given = new TreeMap<>(examples);
    given
        .values()
        .removeIf(example -> example.id().startsWith(COPIED_EXAMPLE) && example.labels().isEmpty());
    return given.isEmpty() ? examples : given;
  }

  /** The implementations that may be chosen: of the search space, or the one that is pinned. */
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

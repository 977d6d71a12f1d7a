package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.sampling.prior.BelievedPriors;
import dev.abacus.optimizer.sampling.prior.LearntOperator;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * All that a loop knows: the fold of the {@link LoopEvent}s of one program. It decides nothing; it
 * remembers whether anything new was learnt since the last decision.
 */
final class ProgramState {

  private final String name;
  private final LoopSettings settings;

  private final DesiredState desired = new DesiredState();
  private final SampleLedger ledger;
  private final CostForecast forecast;
  private final Fingerprints fingerprints = new Fingerprints();
  private final Learning learning;
  private final Beliefs beliefs;
  private final Map<String, ValidationExample> examples = new TreeMap<>();
  private Map<String, List<PhysicalOperator>> searchSpace = Map.of();
  private Dependence dependence = new Dependence("", Set.of(), Set.of());
  private boolean undecided = true;

  /**
   * The state before the first event.
   *
   * @param fitting where classifiers are fitted
   */
  ProgramState(String program, LoopSettings settings, Executor fitting) {
    this.learning = new Learning(fitting);
    this.name = program;
    this.settings = settings;
    this.ledger = new SampleLedger(settings.patience());
    this.forecast = new CostForecast(settings.catalogue());
    this.beliefs = new Beliefs(program, settings);
  }

  /**
   * Takes an event in.
   *
   * @return null if it was taken in; otherwise why it is refused, and nothing has changed
   */
  @Nullable String apply(LoopEvent event) {
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

  /** Whether something was learnt since {@link #decided}. */
  boolean isUndecided() {
    return undecided || learning.hasNews();
  }

  /** All that is known by now has been decided on. */
  void decided() {
    undecided = false;
  }

  /** The newest wishes, plans and activation. */
  DesiredState desired() {
    return desired;
  }

  /** What is believed of implementations before they are sampled. */
  Beliefs beliefs() {
    return beliefs;
  }

  /** Which operators of the program read what others wrote. */
  Dependence dependence() {
    return dependence;
  }

  /** What counts for the program as it stands; null if there is none. */
  @Nullable ProgramView view() {
    Program program = desired.program();
    return program == null
        ? null
        : new ProgramView(
            program,
            arms(program),
            usableExamples(),
            ledger,
            fingerprints,
            learning,
            desired.token());
  }

  /** Whether samples of the present round were issued. */
  boolean isRoundBegun() {
    return ledger.isBegun(desired.token());
  }

  /**
   * What is left of the budget of the present round.
   *
   * @param withheld part of it, in [0, 1), that is not to be touched
   */
  BudgetMeter budget(Program program, double withheld) {
    return new BudgetMeter(program, forecast, ledger, desired.token(), withheld);
  }

  /** Makes tasks of the present round. */
  TaskFactory tasks(ProgramView view) {
    return new TaskFactory(view, ledger, fingerprints, desired.token());
  }

  /** Without copies of live documents, where there is better. */
  private Map<String, ValidationExample> usableExamples() {
    Map<String, ValidationExample> given = new TreeMap<>(examples);
    given
        .values()
        .removeIf(example ->
            example.id().startsWith(LoopSettings.COPIED_EXAMPLE) && example.labels().isEmpty());
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

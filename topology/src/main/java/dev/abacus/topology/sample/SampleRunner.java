package dev.abacus.topology.sample;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.Observation.Unavailable;
import dev.abacus.schemas.observation.ObservationBuilder;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.topology.model.CallDecorator;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.PromptCacheMeter;
import dev.abacus.topology.model.token.SharedPrefixes;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.operator.BatchListener;
import dev.abacus.topology.operator.OperatorFailure.ModelFailed;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.scoring.MatchedPairs;
import dev.abacus.topology.scoring.Score;
import dev.abacus.topology.scoring.Scorer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs an implementation on one input and scores the output. Thread-safe. */
public final class SampleRunner {

  private final OperatorRuntime operators;
  private final Scorer scorer;
  private final ModelCatalogue catalogue;
  private final SharedPrefixes prefixes;
  private final InstantSource clock;
  private final ModelCheck checks;
  private final @Nullable SharedAnswers shared;

  /** Tells which models cannot be called, without a call. */
  @FunctionalInterface
  public interface ModelCheck {

    /** The report on a model that cannot be called; null if it can be called. */
    @Nullable ModelReport problem(String model) throws InterruptedException;
  }

  /**
   * A runner with these operators, whose samples share no calls.
   *
   * @param tokens counts tokens as the models of its catalogue do
   * @param clock gives the time of failures
   */
  public SampleRunner(
      OperatorRuntime operators, Scorer scorer, TokenCounter tokens, InstantSource clock) {
    this(operators, scorer, tokens, clock, _ -> null, null);
  }

  /**
   * A runner for the samples of a program: it runs none with a model that cannot be called, and
   * makes the calls that samples of one example have in common once.
   *
   * @param tokens counts tokens as the models of its catalogue do
   * @param clock gives the time of failures
   * @param checks of the models
   */
  public static SampleRunner ofProgram(
      OperatorRuntime operators,
      Scorer scorer,
      TokenCounter tokens,
      InstantSource clock,
      ModelCheck checks) {
    return new SampleRunner(operators, scorer, tokens, clock, checks, new SharedAnswers());
  }

  /**
   * A runner that runs no sample with a model that cannot be called.
   *
   * @param tokens counts tokens as the models of its catalogue do
   * @param clock gives the time of failures
   * @param checks of the models
   * @param shared the calls that samples of one example have in common; null if all are made
   */
  SampleRunner(
      OperatorRuntime operators,
      Scorer scorer,
      TokenCounter tokens,
      InstantSource clock,
      ModelCheck checks,
      @Nullable SharedAnswers shared) {
    this.shared = shared;
    this.checks = checks;
    this.operators = operators;
    this.scorer = scorer;
    this.catalogue = tokens.catalogue();
    this.prefixes = new SharedPrefixes(tokens);
    this.clock = clock;
  }

  /**
   * Runs a task.
   *
   * @param client calls the models of the operator and of the judge
   * @throws InterruptedException if the thread is interrupted
   */
  public Observation run(SampleTask task, ModelClient client) throws InterruptedException {
    AtomicReference<TokenCounts> tokens = new AtomicReference<>(TokenCounts.NONE);
    ModelClient metered =
        CallDecorator.reporting(
                (_, answer) -> tokens.accumulateAndGet(answer.tokens(), TokenCounts::plus))
            .around(client);
    return execute(task, metered).toBuilder().tokens(tokens.get()).build();
  }

  private Observation execute(SampleTask given, ModelClient client) throws InterruptedException {
    SampleTask task = operators.showsExamples() ? given : given.withoutJudgeExamples();
    ModelReport problem = problem(task);
    if (problem != null) {
      return Observation.of(task)
          .outcome(Outcome.UNAVAILABLE)
          .unavailable(new Unavailable(problem.model(), problem.state(), clock.instant()))
          .failure(problem.message())
          .build();
    }
    // An observation has the cost of a document that shares nothing. The cost of the judge is not
    // part of it.
    SharedAnswers.Client once = shared == null ? null : shared.of(task, client);
    ProviderFaults faults = new ProviderFaults();
    int inCall = task.batch() == null ? 1 : task.batch().documents();
    PromptCacheMeter priced =
        PromptCacheMeter.ofSample(
            catalogue,
            (request, answer) -> prefixes.tokens(request, answer, task.exampleId(), inCall));
    ModelClient metered = priced.around(faults.around(once == null ? client : once));
    if (task.evidenceOnly()) {
      OperatorRuntime labelled = operators.forEvidence(task.label(), task.exampleId());
      OperatorOutcome collected =
          labelled.collectEvidence(task.operator(), task.physical(), task.input(), metered);
      return evidence(task, collected, paid(collected.stats(), priced, once));
    }
    OperatorRuntime.Sampling drawn =
        operators.forSample(task.operator(), task.input(), task.label(), task.exampleId());
    OperatorRuntime sampling = drawn.operators();
    SampledBatch batch = new SampledBatch(task);
    OperatorOutcome outcome =
        ScopedValue.where(BatchListener.CURRENT, batch)
            .call(() -> sampling.execute(task.operator(), task.physical(), task.input(), metered));
    double paid = paid(outcome.stats(), priced, once) + drawn.stats().paid();
    ModelFailed fault = fault(faults, outcome);
    if (fault != null) {
      return unavailable(task, outcome.stats(), paid, fault).build();
    }
    Score score =
        task.isCompanion()
            ? Score.NONE
            : scorer.score(task, outcome, client, sampling.references());
    return score.fault() == null
        ? observation(task, outcome, score, paid)
            .batch(batch.observed(catalogue))
            .prefix(prefix(priced))
            .atTiers(priced.atTiers())
            .build()
        : unavailable(task, outcome.stats(), paid, score.fault())
            .judgeCost(score.judgeCost())
            .failure(score.reason())
            .build();
  }

  /** USD paid: without the price of answers that were shared or that the endpoint had cached. */
  private static double paid(
      ExecutionStats stats, PromptCacheMeter priced, SharedAnswers.@Nullable Client shared) {
    double saved = shared == null ? 0 : shared.saved();
    return Math.max(0, stats.paid() - priced.saved() - saved);
  }

  private static Observation.@Nullable Prefix prefix(PromptCacheMeter priced) {
    return priced.prefix() > 0
        ? new Observation.Prefix(priced.prefix(), priced.prefixSaved())
        : null;
  }

  /** The problem of a model that the task needs, the judge included; null if there is none. */
  private @Nullable ModelReport problem(SampleTask task) throws InterruptedException {
    List<String> models = new ArrayList<>(task.chatModels());
    // Another model judges the outputs of the judge.
    if (task.needsJudge() && !models.contains(task.judge())) {
      models.add(task.judge());
    }
    for (String model : models) {
      ModelReport problem = checks.problem(model);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  /** The fault of a provider while the operator ran; null if there was none. */
  private static @Nullable ModelFailed fault(ProviderFaults faults, OperatorOutcome outcome) {
    ModelFailed first = faults.first();
    return first == null ? providerFault(outcome) : first;
  }

  private static @Nullable ModelFailed providerFault(OperatorOutcome outcome) {
    return outcome instanceof OperatorOutcome.Failed(ModelFailed failed, ExecutionStats _)
            && failed.failure().isProviderFault()
        ? failed
        : null;
  }

  private ObservationBuilder unavailable(
      SampleTask task, ExecutionStats stats, double paid, ModelFailed fault) {
    return Observation.of(task)
        .outcome(Outcome.UNAVAILABLE)
        .unavailable(
            new Unavailable(fault.model(), ProviderFaults.state(fault.failure()), clock.instant()))
        .cost(stats.cost())
        .latency(stats.latency())
        .paid(paid)
        .failure(fault.message());
  }

  /** The evidence in a labelled input; a failure if the label is not a possible answer. */
  private Observation evidence(SampleTask task, OperatorOutcome outcome, double paid) {
    ModelFailed fault = providerFault(outcome);
    if (fault != null) {
      return unavailable(task, outcome.stats(), paid, fault).build();
    }
    Evidence evidence = EvidenceLabel.only(task, outcome.evidence());
    String failure =
        evidence != null
            ? null
            : outcome instanceof OperatorOutcome.Failed failed
                ? failed.failure().message()
                : "the input has no label that is a possible answer";
    return Observation.of(task)
        .outcome(failure == null ? Outcome.EMBEDDED : Outcome.FAILED)
        .quality(failure == null ? null : Double.valueOf(0))
        .scoredBy(failure == null ? ScoredBy.NOBODY : ScoredBy.FAILURE)
        .cost(outcome.stats().cost())
        .latency(outcome.stats().latency())
        .paid(paid)
        .evidence(evidence)
        .failure(failure)
        .build();
  }

  private static ObservationBuilder observation(
      SampleTask task, OperatorOutcome outcome, Score score, double paid) {
    List<Document> outputs =
        outcome instanceof OperatorOutcome.Kept kept ? kept.documents() : List.of();
    Outcome kind =
        switch (outcome) {
          case OperatorOutcome.Kept kept ->
              kept.documents().isEmpty() ? Outcome.DROPPED : Outcome.KEPT;
          case OperatorOutcome.Dropped _ -> Outcome.DROPPED;
          case OperatorOutcome.Failed _ -> Outcome.FAILED;
        };
    return Observation.of(task)
        .outcome(kind)
        .outputs(outputs)
        .quality(score.quality())
        .scoredBy(score.scoredBy())
        .cost(outcome.stats().cost())
        .latency(outcome.stats().latency())
        .judgeCost(score.judgeCost())
        .paid(paid)
        .evidence(
            score.pairs() == null ? EvidenceLabel.apply(task, outcome.evidence()) : score.pairs())
        .expectedOutputs(MatchedPairs.expectedOutputs(task.operator(), outcome))
        .failure(score.reason());
  }
}

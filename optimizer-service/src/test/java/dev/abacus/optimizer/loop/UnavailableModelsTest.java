package dev.abacus.optimizer.loop;

import static dev.abacus.optimizer.loop.TestPrograms.triage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.loop.LoopStatus.Phase;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.Observation.Unavailable;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Searches while the provider of a model limits, fails, or does not have the model. */
class UnavailableModelsTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final String JUDGE = "o4-mini";

  private Instant now = START;
  private ModelState state = ModelState.UNREACHABLE;

  /** Tasks that the data plane cannot run at present. */
  private Predicate<SampleTask> down = _ -> false;

  private final TestRun run = new TestRun(this::answer, 1, TestRun.settings(4));

  private Observation answer(SampleTask task) {
    String first =
        firstIds.computeIfAbsent(
            "%s %s %s".formatted(task.operator().id(), task.physical().id(), task.input().toJson()),
            _ -> task.id());
    if (!down.test(task)) {
      Observation answer = answerOf(task, first);
      return task.needsJudge()
          ? answer.toBuilder().score(answer.quality(), ScoredBy.JUDGE).build()
          : answer;
    }
    return Observation.of(task)
        .unavailable(new Unavailable(unavailable(task), state, now))
        .cost(0.0001)
        .tokens(TokenCounts.of(tokensOfOne, 0, 0))
        .failure("status 429")
        .build();
  }

  /** Answers do not depend on how often a sample is tried: they have the noise of the first id. */
  private Observation answerOf(SampleTask task, String first) {
    Observation answer =
        TestRun.WORLD.apply(
            SampleTask.builder(first, task.program())
                .operator(task.operator(), task.physical())
                .example(task.exampleId(), task.input(), task.label())
                .metrics(task.metrics())
                .judge(task.judge())
                .build());
    return Observation.of(task)
        .outcome(answer.outcome())
        .outputs(answer.outputs())
        .score(answer.quality(), answer.scoredBy())
        .cost(answer.cost())
        .latency(answer.latency())
        .judgeCost(answer.judgeCost())
        .tokens(TokenCounts.of(tokensOfOne, 0, 0))
        .build();
  }

  private final Map<String, String> firstIds = new HashMap<>();
  private String unavailable = "m3";
  private long tokensOfOne;

  private String unavailable(SampleTask task) {
    return unavailable.isEmpty() ? task.physical().chatModels().getFirst() : unavailable;
  }

  private static Predicate<SampleTask> using(String model) {
    return task -> task.physical().chatModels().contains(model);
  }

  private TestRun search() {
    at(START);
    return run.program(triage(TestRun.QUALITY, TestRun.SAMPLES)).examples(40);
  }

  private void at(Instant instant) {
    now = instant;
    run.tell(new LoopEvent.Tick(now));
  }

  /** Runs the search until nothing is outstanding and no pause ends within the time. */
  private void runFor(Duration time) {
    Instant end = now.plus(time);
    run.finish();
    while (now.isBefore(end)) {
      at(now.plusSeconds(5));
      run.finish();
    }
  }

  /** The same search while every model answers. */
  private static TestRun undisturbed() {
    return new TestRun(TestRun.WORLD, 1, TestRun.settings(4))
        .program(triage(TestRun.QUALITY, TestRun.SAMPLES))
        .examples(40)
        .finish();
  }

  @Test
  void aShortOutageOfAModelChangesNothingButTheTime() {
    TestRun calm = undisturbed();
    search();
    down = using("m3");

    runFor(Duration.ofSeconds(20));
    assertThat(run.status().phase()).isEqualTo(Phase.WAITING_FOR_MODELS);
    down = _ -> false;
    runFor(Duration.ofSeconds(30));

    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
    assertThat(run.status().models()).isEmpty();
    assertThat(run.activePlan().choice()).isEqualTo(calm.activePlan().choice());
    assertThat(run.status().samplesIssued()).isEqualTo(calm.status().samplesIssued());
    assertThat(run.status().samplesObserved()).isEqualTo(calm.status().samplesObserved());
    assertThat(run.plans).hasSameSizeAs(calm.plans);
    assertThat(TestRun.ids(run.issued)).doesNotHaveDuplicates();
  }

  @Test
  void aModelThatIsLimitedDuringTheSearchDoesNotMakeThePlanFlapOrWorse() {
    TestRun calm = undisturbed();
    String limited =
        calm.activePlan().choice().steps().stream()
            .filter(step -> step.logical().isSemantic())
            .findFirst()
            .orElseThrow()
            .physical()
            .chatModels()
            .getFirst();
    unavailable = limited;
    search();
    // One of three requests is answered.
    int[] requests = {0};
    down = task -> using(limited).test(task) && requests[0]++ % 3 != 0;

    runFor(Duration.ofMinutes(10));

    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
    assertThat(run.plans).hasSizeLessThanOrEqualTo(calm.plans.size() + 1);
    assertThat(run.activePlan().choice()).isEqualTo(calm.activePlan().choice());
    // The same limit, counted as quality 0, makes another plan look better.
    assertThat(withRefusalsScoredZero(limited).activePlan().choice().steps())
        .isNotEqualTo(calm.activePlan().choice().steps());
  }

  private static TestRun withRefusalsScoredZero(String limited) {
    int[] requests = {0};
    return new TestRun(
            task ->
                using(limited).test(task) && requests[0]++ % 3 != 0
                    ? TestWorld.observation(task, Outcome.FAILED, 0, 0.0001, 1)
                    : TestRun.WORLD.apply(task),
            1,
            TestRun.settings(4))
        .program(triage(TestRun.QUALITY, TestRun.SAMPLES))
        .examples(40)
        .finish();
  }

  @Test
  void aModelThatStaysAwayIsLeftOutAndNeverScored() {
    search();
    down = using("m3");

    runFor(Duration.ofMinutes(4));

    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
    assertThat(run.plans).hasSizeLessThanOrEqualTo(3);
    for (PhysicalPlan plan : run.plans) {
      assertThat(plan.choice().signature()).doesNotContain("(m3)");
      plan.frontier().forEach(one -> assertThat(one.signature()).doesNotContain("(m3)"));
    }
    assertThat(run.status().message())
        .contains("model 'm3': waiting since 2026-03-01T10:00:00Z (status 429)")
        .contains("its implementations are left out until it answers");
    assertThat(run.status().models()).hasSize(1);
    assertThat(run.issued.stream().filter(using("m3")).count()).isLessThan(100);
  }

  @Test
  void samplingGoesOnWhenTheModelComesBack() {
    search();
    run.program(triage(TestRun.QUALITY, new SampleBudget.Invocations(100_000)));
    down = using("m3");
    runFor(Duration.ofMinutes(4));
    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
    int epochs = run.plans.size();

    down = _ -> false;
    runFor(Duration.ofMinutes(10));

    assertThat(run.status().models()).isEmpty();
    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
    assertThat(answered(using("m3"))).isNotEmpty();
    assertThat(run.plans.size() - epochs).isLessThanOrEqualTo(2);
  }

  private List<SampleTask> answered(Predicate<SampleTask> tasks) {
    Set<String> answered = new HashSet<>();
    for (LoopEvent event : run.topics) {
      if (event instanceof LoopEvent.Observed(Observation one)
          && one.outcome() != Outcome.UNAVAILABLE) {
        answered.add(one.taskId());
      }
    }
    return run.issued.stream().filter(tasks).filter(task -> answered.contains(task.id())).toList();
  }

  @Test
  void anOutageDoesNotMoveAnActivePlan() {
    search();
    run.finish();
    int epochs = run.plans.size();
    down = _ -> true;
    unavailable = "";
    run.program(triage(TestRun.QUALITY, new SampleBudget.Invocations(300)));

    runFor(Duration.ofMinutes(6));

    assertThat(run.plans).hasSize(epochs);
  }

  @Test
  void unavailableSamplesCostMoneyButNoInvocations() {
    search();
    down = using("m3");
    runFor(Duration.ofMinutes(4));
    long failed =
        run.topics.stream()
            .filter(event ->
                event instanceof LoopEvent.Observed(Observation one)
                    && one.outcome() == Outcome.UNAVAILABLE)
            .count();
    assertThat(failed).isPositive();

    assertThat(run.status().samplesIssued())
        .isEqualTo((int) (run.issued.size() - failed))
        .isLessThanOrEqualTo(150);
    double spent =
        run.topics.stream()
            .mapToDouble(
                event -> event instanceof LoopEvent.Observed(Observation one) ? one.spent() : 0)
            .sum();
    assertThat(run.status().spentUsd()).isCloseTo(spent, within(1e-9));
  }

  @Test
  void aBudgetInTokensIsNotExceededAndCountsUnavailableSamples() {
    tokensOfOne = 2_000;
    search();
    run.program(triage(TestRun.QUALITY, new SampleBudget.Tokens(100_000)));
    int[] requests = {0};
    down = task -> using("m3").test(task) && requests[0]++ % 2 == 0;

    runFor(Duration.ofMinutes(4));

    assertThat(run.status().budgetTokens()).isEqualTo(100_000);
    assertThat(run.status().budgetSamples()).isNull();
    assertThat(run.status().spentTokens())
        .isEqualTo(2_000L * run.issued.size())
        .isBetween(80_000L, 100_000L);
    assertThat(run.plans).isNotEmpty();
  }

  @Test
  void anotherOptimizerContinuesTheWait() {
    search();
    down = using("m3");
    runFor(Duration.ofMinutes(4));
    String message = run.status().message();
    int issued = run.issued.size();

    run.restart();
    run.finish();

    assertThat(run.status().message()).isEqualTo(message);
    assertThat(run.issued).hasSize(issued);
  }

  @Test
  void aMissingModelIsLeftOutAtOnceAndTheRemedyIsNamed() {
    search();
    state = ModelState.MISSING;
    down = using("m3");

    run.finish();

    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
    assertThat(run.status().samplesIssued()).isGreaterThan(100);
    assertThat(run.plans.stream().map(plan -> plan.choice().signature()))
        .noneMatch(signature -> signature.contains("(m3)"));
  }

  @Test
  void aModelThatAWorkerReportsAsMissingIsNeverSampled() {
    search();
    report(new ModelReport("m3", ModelState.MISSING, START, "http://e lists 3 models"));

    run.finish();

    assertThat(run.issued).noneMatch(using("m3"));
    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
  }

  @Test
  void missingModelsThatTheProgramNamesAreShownWithTheirRemedy() {
    at(START);
    run.program(
            triage(TestRun.QUALITY, TestRun.SAMPLES)
                .withSettings(
                    triage(TestRun.QUALITY, TestRun.SAMPLES)
                        .settings()
                        .withModels(new Settings.Models(List.of("m2", "m3"), JUDGE))))
        .examples(40);
    report(new ModelReport("m3", ModelState.MISSING, START, "http://e lists 3 models"));
    report(
        new ModelReport("m3", ModelState.MISSING, START, "http://e lists 3 models"),
        new ModelReport("m2", ModelState.NO_KEY, START, "variable K is not set"));

    run.finish();

    assertThat(run.status().message())
        .contains("model 'm3' is not served (http://e lists 3 models)")
        .contains("remove it from 'models:'")
        .contains("model 'm2' has no valid key (variable K is not set)")
        .contains("restart the worker");
  }

  @Test
  void aJudgeThatScoresItsOwnAnswersIsAWarning() {
    at(START);
    run.program(
            triage(TestRun.QUALITY, TestRun.SAMPLES)
                .withSettings(
                    triage(TestRun.QUALITY, TestRun.SAMPLES)
                        .settings()
                        .withModels(new Settings.Models(List.of("m2", "m3"), "m2"))))
        .examples(40);
    run.finish();

    assertThat(run.status().warnings())
        .containsExactly(
            "judge 'm2' also scores its own answers, because no other model can be called");
    assertThat(run.status().message()).contains("; warning: judge 'm2' also scores");
  }

  @Test
  void withoutTheJudgeNothingIsSampledThatNeedsIt() {
    search();
    report(new ModelReport(JUDGE, ModelState.MISSING, START, "http://e: 404"));

    run.finish();

    // Only the filter has labels.
    assertThat(run.issued).allMatch(task -> task.operator().id().equals("is-problem"));
    assertThat(run.plans).isEmpty();
    assertThat(run.status().phase()).isEqualTo(Phase.WAITING_FOR_MODELS);
    assertThat(run.status().message())
        .contains("judge 'o4-mini' is not served (http://e: 404)")
        .contains("name another one with 'judge:', or label the examples");

    report(new ModelReport(JUDGE, ModelState.AVAILABLE, START.plusSeconds(9), ""));
    run.finish();

    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
    assertThat(run.plans).isNotEmpty();
  }

  @Test
  void aJudgeThatIsFoundMissingStopsTheSearchAfterOneWave() {
    search();
    state = ModelState.MISSING;
    unavailable = JUDGE;
    down = SampleTask::needsJudge;

    run.finish();

    assertThat(run.status().phase()).isEqualTo(Phase.WAITING_FOR_MODELS);
    assertThat(run.status().message()).contains("judge 'o4-mini' is not served (status 429)");
    assertThat(run.issued.stream().filter(SampleTask::needsJudge).count()).isLessThan(30);

    down = _ -> false;
    runFor(Duration.ofMinutes(3));
    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
  }

  @Test
  void withEveryModelAwayTheSearchWaitsAndSaysSo() {
    search();
    List<ModelReport> reports = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      reports.add(new ModelReport("m" + i, ModelState.UNREACHABLE, START, "connection refused"));
    }
    report(reports.toArray(ModelReport[]::new));

    run.finish();

    assertThat(run.issued).isEmpty();
    assertThat(run.status().phase()).isEqualTo(Phase.WAITING_FOR_MODELS);
    assertThat(run.status().message())
        .contains("waiting for models", "model 'm0': waiting since", "connection refused");
  }

  @Test
  void afterAKeyIsRestoredANewSearchSamplesItsModelAgain() {
    search();
    report(new ModelReport("m3", ModelState.NO_KEY, START, "status 401"));
    run.finish();
    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
    assertThat(run.issued).noneMatch(using("m3"));

    at(START.plusSeconds(30));
    report(new ModelReport("m3", ModelState.AVAILABLE, now, ""));
    run.finish();
    assertThat(run.issued).as("a finished search is not resumed").noneMatch(using("m3"));

    run.tell(
        new LoopEvent.ControlSet(new ControlRecord.Reoptimize(TestPrograms.NAME, "after the key")));
    run.finish();

    assertThat(run.issued).anyMatch(using("m3"));
    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
  }

  @Test
  void reportsThatAreAMinuteOldAreForgotten() {
    search();
    report(new ModelReport(JUDGE, ModelState.MISSING, START, "http://e: 404"));
    run.finish();
    assertThat(run.plans).isEmpty();

    runFor(Duration.ofSeconds(61));

    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
    assertThat(run.plans).isNotEmpty();
  }

  private void report(ModelReport... reports) {
    run.tell(
        new LoopEvent.WorkerReported(
            InstanceStatus.builder(TestPrograms.NAME, "w1", now, "RUNNING")
                .availability(List.of(reports))
                .build()));
  }
}

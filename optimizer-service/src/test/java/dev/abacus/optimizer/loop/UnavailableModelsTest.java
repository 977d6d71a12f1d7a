package dev.abacus.optimizer.loop;

import static dev.abacus.optimizer.loop.TestPrograms.triage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.loop.LoopStatus.Phase;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.SampleBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches while the provider of a model limits or fails. */
class UnavailableModelsTest extends UnavailableModels {

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

  @ParameterizedTest
  @ValueSource(longs = {-24, 24})
  void theWaitForAModelDoesNotDependOnTheClockOfTheWorker(long hours) {
    ahead = Duration.ofHours(hours);
    aShortOutageOfAModelChangesNothingButTheTime();
  }

  @Test
  void theWaitForAReportedModelDoesNotDependOnTheClockOfTheWorker() {
    search();
    report(
        new ModelReport("m3", ModelState.UNREACHABLE, START.minus(Duration.ofDays(1)), "refused"));
    runFor(Duration.ofSeconds(20));

    assertThat(run.status().phase()).isEqualTo(Phase.WAITING_FOR_MODELS);
  }

  @Test
  void aClockThatWasADayAheadDoesNotProlongTheWait() {
    search();
    at(START.plus(Duration.ofDays(1)));
    down = using("m3");
    runFor(Duration.ofSeconds(10));
    assertThat(run.status().phase()).isEqualTo(Phase.WAITING_FOR_MODELS);

    down = _ -> false;
    at(START);
    runFor(Duration.ofSeconds(90));

    assertThat(run.status().phase()).isEqualTo(Phase.FINISHED);
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

  /** The search has 120 samples; those of whole plans follow. */
  @Test
  void aPlanWhoseModelDoesNotAnswerIsNotSaidToLackBudget() {
    run = new TestRun(this::answer, 1, TestRun.measuring(1, 4));
    search();
    unavailable = "";
    int[] requests = {0};
    down = _ -> requests[0]++ >= 122;

    runFor(Duration.ofMinutes(3));

    assertThat(run.activePlan().promise()).isNull();
    assertThat(run.reason()).contains("not promised: a model does not answer");
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
}

package dev.abacus.optimizer.loop;

import static dev.abacus.optimizer.loop.TestPrograms.triage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.LoopStatus.Phase;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Settings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Searches while a model is not served, has no key, or is the judge and cannot be called. */
class MissingModelsTest extends UnavailableModels {

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

  /** A program that names its models. */
  private void judgedBy(String judge) {
    Program program = triage(TestRun.QUALITY, TestRun.SAMPLES);
    run.program(
            program.withSettings(
                program.settings().withModels(new Settings.Models(List.of("m2", "m3"), judge))))
        .examples(40);
  }

  @Test
  void missingModelsThatTheProgramNamesAreShownWithTheirRemedy() {
    at(START);
    judgedBy(JUDGE);
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

  @Test
  void aJudgeAtAServiceTierIsMissingWithItsModel() {
    at(START);
    judgedBy(JUDGE + "@flex");
    report(new ModelReport(JUDGE, ModelState.MISSING, START, "http://e: 404"));

    run.finish();

    assertThat(run.issued).isNotEmpty().noneMatch(SampleTask::needsJudge);
  }
}

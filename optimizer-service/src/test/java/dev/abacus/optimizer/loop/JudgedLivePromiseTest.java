package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings.Governance;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The judge's scores of live outputs narrow the promise of the active plan. */
class JudgedLivePromiseTest {

  private static final String OPERATOR = "classify";

  /** The judge sees what people see, and adds 0.1. */
  private static double score(SampleTask task) {
    double mean = task.physical().id().contains("m0") ? 0.8 : 0.5;
    return mean + 0.3 * (TestWorld.unit(3, task.exampleId() + task.physical().id()) - 0.5);
  }

  private static Observation answer(SampleTask task) {
    Observation seen = TestWorld.observation(task, Outcome.KEPT, score(task), 0.003, 1);
    return task.label() != null
        ? seen
        : seen.toBuilder().quality(Math.min(1, score(task) + 0.1)).scoredBy(ScoredBy.JUDGE).build();
  }

  private static TestRun run(Governance governance) {
    Program program = TestPrograms.classifying(new SampleBudget.Invocations(60));
    return new TestRun(JudgedLivePromiseTest::answer, 1, TestRun.measuring(3, 2))
        .program(program.withSettings(program.settings().withGovernance(governance)))
        .labelled(40, OPERATOR, _ -> JsonNodeFactory.instance.objectNode().put("intent", "other"))
        .finish();
  }

  private static long judgements(TestRun run) {
    return run.issued.stream().filter(task -> task.label() == null).count();
  }

  private static double width(PhysicalPlan plan) {
    Range quality = Objects.requireNonNull(plan.promise()).quality();
    return Objects.requireNonNull(quality.high()) - Objects.requireNonNull(quality.low());
  }

  private static LoopEvent live(double mean, int number, int missing) {
    QualityCounts counts = QualityCounts.none(1, OPERATOR);
    for (int i = 0; i < number; i++) {
      double score = mean + 0.3 * (TestWorld.unit(9, "live" + i) - 0.5);
      counts = i < missing ? counts.withMissing() : counts.with(Math.min(1, score));
    }
    return new LoopEvent.Judged(Map.of(OPERATOR, Map.of("model-selection(m0)", counts)));
  }

  @Test
  void theJudgeScoresTheLabelledOutputsOfTheChosenPlanOnce() {
    TestRun run = run(new Governance(null, null, 0.02, false));
    assertThat(judgements(run)).isBetween(20L, 40L);
    assertThat(run.issued.stream().filter(task -> task.label() == null))
        .allMatch(task -> task.physical().id().contains("m0"));
    assertThat(judgements(run(Governance.NONE))).isZero();
  }

  @Test
  void liveScoresNarrowThePromiseOfTheSameEpoch() {
    TestRun run = run(new Governance(null, null, 0.02, false));
    PhysicalPlan before = run.activePlan();
    run.tell(live(0.9, 200, 0)).finish();
    PhysicalPlan after = run.activePlan();

    assertThat(after.epoch()).isEqualTo(before.epoch());
    assertThat(width(after)).isLessThan(0.7 * width(before));
    assertThat(after.estimate().quality()).isEqualTo(0.8, within(0.03));
  }

  @Test
  void worseLiveDocumentsLowerThePromise() {
    TestRun run = run(new Governance(null, null, 0.02, false));
    double before = run.activePlan().estimate().quality();
    run.tell(live(0.8, 200, 0)).finish();
    assertThat(run.activePlan().estimate().quality()).isLessThan(before - 0.05);
  }

  @Test
  void manyOutputsWithoutAScoreTellNothing() {
    TestRun run = run(new Governance(null, null, 0.02, false));
    PhysicalPlan before = run.activePlan();
    run.tell(live(0.9, 200, 100)).finish();
    assertThat(width(run.activePlan())).isEqualTo(width(before), within(1e-9));
  }
}

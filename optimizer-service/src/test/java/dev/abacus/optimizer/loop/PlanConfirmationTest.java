package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.wholeplan.EstimateCorrection;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class PlanConfirmationTest {

  /** A filter that reads a summary. */
  private static Program dependent(String objective) {
    return TestPrograms.of(
        objective,
        new SampleBudget.Invocations(120),
        TestPrograms.map("summarize", "messages", "summary"),
        new SemanticFilter("relevant", "summarize", "It is relevant.", List.of("summary")));
  }

  /**
   * Summaries of the cheap models m0 to m5 score nearly as well as those of the others, but the
   * filter can make nothing of them.
   */
  private static Observation treacherous(SampleTask task, long seed) {
    int model = Integer.parseInt(task.physical().id().replaceAll("\\D", ""));
    double noise = 0.1 * (TestWorld.unit(seed, task.id()) - 0.5);
    boolean cheap = model < 6;
    if (task.operator().id().equals("summarize")) {
      return TestWorld.observation(
          task, Observation.Outcome.KEPT, (cheap ? 0.87 : 0.92) + noise, cheap ? 0.001 : 0.005, 1);
    }
    String writer = task.input().get("summary").asText().replaceAll("\\D", "");
    boolean blind = !writer.isEmpty() && Integer.parseInt(writer) < 6;
    return TestWorld.observation(
        task, Observation.Outcome.KEPT, (blind ? 0.45 : 0.93) + noise, 0.001, 1);
  }

  private static int writer(TestRun run) {
    PlanStep summarize =
        run.activePlan().steps().stream()
            .filter(step -> step.logical().id().equals("summarize"))
            .findFirst()
            .orElseThrow();
    return Integer.parseInt(summarize.physical().id().replaceAll("\\D", ""));
  }

  @Test
  void aFilterThatReadsASummaryTakesTheSummaryItNeeds() {
    for (int seed = 0; seed < 10; seed++) {
      long world = seed;
      TestRun run =
          new TestRun(task -> treacherous(task, world), seed)
              .program(dependent("minimize cost subject to quality >= 0.7"))
              .examples(40)
              .finish();

      // By the product of parts the cheap summaries would do: 0.87 x 0.93.
      assertThat(run.activations).anyMatch(active -> active.reason().contains("quality 0.8"));
      assertThat(writer(run)).as("seed %d", seed).isGreaterThanOrEqualTo(6);
      assertThat(run.issued.size()).isLessThanOrEqualTo(120);
      assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    }
  }

  @Test
  void runsAlongPlansReadTheActualOutputsOfThePlansOwnSteps() {
    TestRun run =
        new TestRun(task -> treacherous(task, 3), 3)
            .program(dependent("minimize cost subject to quality >= 0.7"))
            .examples(40)
            .finish();

    List<SampleTask> along = along(run);
    assertThat(along).isNotEmpty().hasSizeLessThanOrEqualTo(18);
    assertThat(along)
        .anyMatch(task ->
            task.operator().id().equals("relevant")
                && task.input().get("summary").asText().matches(".*\\(m[0-5]\\)"));
  }

  private static List<SampleTask> along(TestRun run) {
    return run.actions.stream()
        .filter(action ->
            action instanceof LoopAction.IssueSample(var _, var stamp) && stamp.alongPlan())
        .map(action -> ((LoopAction.IssueSample) action).task())
        .toList();
  }

  @Test
  void itCostsNothingWhereNoOperatorReadsWhatAModelWrote() {
    Function<SampleTask, Observation> world = TestWorld.scattered(5);
    TestRun one =
        new TestRun(world, 1)
            .program(
                TestPrograms.of(
                    "maximize quality",
                    new SampleBudget.Invocations(60),
                    TestPrograms.map("classify", "messages", "intent")))
            .examples(40)
            .finish();
    TestRun apart =
        new TestRun(world, 1)
            .program(TestPrograms.triage("maximize quality", new SampleBudget.Invocations(150)))
            .examples(40)
            .finish();

    assertThat(along(one)).isEmpty();
    assertThat(along(apart)).isEmpty();
    assertThat(one.issued.size()).isBetween(55, 60);
  }

  @Test
  void aRestartInTheMiddleOfTheRunsPaysForNothingTwice() {
    Function<SampleTask, Observation> world = task -> treacherous(task, 4);
    Program program = dependent("minimize cost subject to quality >= 0.7");
    TestRun straight = new TestRun(world, 4).program(program).examples(40).finish();
    TestRun broken = new TestRun(world, 9).program(program).examples(40);
    Random random = new Random(7);
    for (int i = 0; i < 12; i++) {
      broken.answer(1 + random.nextInt(15)).restart();
    }
    broken.finish();

    assertThat(broken.activePlan().choice()).isEqualTo(straight.activePlan().choice());
    assertThat(broken.issued.stream().map(SampleTask::id)).doesNotHaveDuplicates();
    assertThat(broken.issued).hasSameSizeAs(straight.issued);
  }

  @Test
  void chanceDoesNotPassForADeparture() {
    Random random = new Random(1);
    double kept = 0;
    for (int i = 0; i < 500; i++) {
      kept +=
          Math.abs(
              EstimateCorrection.shrunk(
                  DoubleStream.generate(() -> 0.3 * random.nextGaussian())
                      .limit(8)
                      .boxed()
                      .toList()));
    }

    assertThat(kept / 500).isLessThan(0.05);
    assertThat(EstimateCorrection.shrunk(List.of(-0.5, -0.4, -0.6, -0.5))).isBetween(-0.5, -0.42);
    assertThat(EstimateCorrection.shrunk(List.of(0.0, 0.0, 0.0))).isZero();
  }
}

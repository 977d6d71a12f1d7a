package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.SampleBudget;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** With few examples, plans that were chosen without a part of them are measured on this part. */
class CrossFittingTest {

  private static final int BUDGET = 40;
  private static final int MODELS = 8;
  private static final int RUNS = 60;

  @Test
  void thePromiseOfFewExamplesSaysThatItIsCrossFitted() {
    PlanPromise promise = promise(search(3, 12));

    assertThat(promise.folds()).isEqualTo(4);
    assertThat(promise.examples()).isBetween(7, 12);
    assertThat(promise(search(3, 40)).folds()).isNull();
    assertThat(search(3, 7).promise()).isNull();
  }

  @Test
  void intervalsOfFewExamplesContainTheTruth() {
    int quality = 0;
    int cost = 0;
    double bias = 0;
    for (int seed = 0; seed < RUNS; seed++) {
      PhysicalPlan plan = search(seed, 8 + seed % 12);
      PlanPromise promise = promise(plan);
      int model = model(plan.steps().getFirst().physical().chatModels().getFirst());
      quality += contains(promise.quality(), quality(seed, model)) ? 1 : 0;
      cost += contains(promise.cost(), cost(model)) ? 1 : 0;
      bias += (promise.quality().mean() - quality(seed, model)) / RUNS;
    }
    // 0.95, less two standard errors of so many runs
    assertThat((double) quality / RUNS).isGreaterThan(0.89);
    assertThat((double) cost / RUNS).isGreaterThan(0.89);
    assertThat(bias).isEqualTo(0, within(0.03));
  }

  private static boolean contains(Range range, double truth) {
    return Objects.requireNonNull(range.low()) <= truth
        && truth <= Objects.requireNonNull(range.high());
  }

  private static PlanPromise promise(PhysicalPlan plan) {
    return Objects.requireNonNull(plan.promise());
  }

  private static int model(String name) {
    return Integer.parseInt(name.substring(1));
  }

  /** All models are nearly alike, so that the luckiest of them seems better than it is. */
  private static double quality(long seed, int model) {
    return 0.55 + 0.1 * TestWorld.unit(seed, "quality " + model);
  }

  private static double cost(int model) {
    return 0.001 * (1 + model);
  }

  private static Observation observe(long seed, SampleTask task) {
    int model = model(task.physical().chatModels().getFirst());
    double scatter = 0.6 * (TestWorld.unit(seed + 1_000, task.exampleId() + model) - 0.5);
    double shared = 0.3 * (TestWorld.unit(seed + 2_000, task.exampleId()) - 0.5);
    return Observation.of(task)
        .outputs(List.of(task.input()))
        .quality(Math.clamp(quality(seed, model) + scatter + shared, 0, 1))
        .scoredBy(Observation.ScoredBy.LABEL)
        .cost(cost(model) * (0.6 + 0.8 * TestWorld.unit(seed + 3_000, task.exampleId() + model)))
        .latency(1)
        .build();
  }

  private static PhysicalPlan search(long seed, int examples) {
    TestRun run =
        new TestRun(task -> observe(seed, task), seed, TestRun.measuring(seed, MODELS))
            .program(TestPrograms.classifying(new SampleBudget.Invocations(BUDGET)));
    for (int i = 0; i < examples; i++) {
      run.tell(
          new LoopEvent.ExampleSet(
              new ValidationExample("e" + i, "messages", Document.empty(), Map.of())));
    }
    run.finishInWaves();
    assertThat(run.issued).hasSizeLessThanOrEqualTo(BUDGET);
    return run.activePlan();
  }
}

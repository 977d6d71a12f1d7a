package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * The promise of a filter that keeps one document in ten, scored by balanced accuracy. Models find
 * 70 to 84 % of the documents to keep and are right about 97 % of the others.
 */
class RareFilterPromiseTest {

  private static final int EXAMPLES = 40;
  private static final int MODELS = 8;
  private static final int BUDGET = 60;
  private static final int SEEDS = 60;
  private static final SemanticFilter FILTER = TestPrograms.filter("rare", "messages");

  private static double recall(int model) {
    return 0.7 + 0.02 * model;
  }

  private static double quality(int model) {
    return (recall(model) + 0.97) / 2;
  }

  private static int model(String name) {
    return Integer.parseInt(name.substring(1));
  }

  private static Observation observe(long seed, SampleTask task) {
    int model = model(task.physical().chatModels().getFirst());
    boolean keep = Objects.requireNonNull(task.label()).booleanValue();
    boolean right =
        TestWorld.unit(seed, task.exampleId() + " " + model) < (keep ? recall(model) : 0.97);
    return Observation.of(task)
        .outcome(keep == right ? Outcome.KEPT : Outcome.DROPPED)
        .outputs(keep == right ? List.of(task.input()) : List.of())
        .quality(right ? 1.0 : 0.0)
        .scoredBy(ScoredBy.LABEL)
        .cost(0.001)
        .latency(1)
        .build();
  }

  private static Observation observeWithMap(long seed, SampleTask task) {
    return task.operator() instanceof SemanticMap
        ? Observation.of(task)
            .outputs(List.of(task.input()))
            .quality(0.9)
            .scoredBy(ScoredBy.LABEL)
            .cost(0.1)
            .latency(1)
            .build()
        : observe(seed, task);
  }

  private static PhysicalPlan search(long seed) {
    return search(seed, BUDGET, 10, RareFilterPromiseTest::observe, FILTER).activePlan();
  }

  private static TestRun search(
      long seed,
      int budget,
      int oneIn,
      BiFunction<Long, SampleTask, Observation> world,
      LogicalOperator... operators) {
    TestRun run =
        new TestRun(task -> world.apply(seed, task), seed, TestRun.measuring(seed, MODELS))
            .program(
                TestPrograms.of(
                    "maximize quality", new SampleBudget.Invocations(budget), operators));
    return run.labelled(EXAMPLES, "rare", i -> BooleanNode.valueOf(i % oneIn == 0)).finish();
  }

  @Test
  void fewDocumentsToKeepMakeAnIntervalThatContainsTheTruth() {
    int covered = 0;
    double bias = 0;
    double squares = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      PhysicalPlan plan = search(seed);
      Range promised = Objects.requireNonNull(plan.promise()).quality();
      int model = model(plan.steps().getFirst().physical().chatModels().getFirst());
      double truth = quality(model);
      double kept = 0.1 * recall(model) + 0.9 * 0.03;
      double error =
          Objects.requireNonNull(plan.basis(plan.steps().getFirst())).selectivity() - kept;
      squares += error * error / SEEDS;
      covered +=
          Objects.requireNonNull(promised.low()) <= truth
                  && truth <= Objects.requireNonNull(promised.high())
              ? 1
              : 0;
      bias += (promised.mean() - truth) / SEEDS;
    }
    assertThat(Math.sqrt(squares)).isLessThan(0.03);
    assertThat((double) covered / SEEDS).isGreaterThan(0.89);
    // Three documents to keep are searched: their share is known to about 0.2. The best of the
    // models is chosen, so the promise is too high by 0.053 in the mean (docs/promises.md).
    assertThat(bias).isBetween(-0.06, 0.06);
  }

  /** Every second document is to be kept. All four runs of one plan in sixteen are of others. */
  @Test
  void runsThatTheFilterDropsDoNotMakeTheMapBehindItFree() {
    int told = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      PhysicalPlan plan =
          search(
                  seed,
                  40,
                  2,
                  RareFilterPromiseTest::observeWithMap,
                  FILTER,
                  TestPrograms.map("answer", "rare", "reply"))
              .activePlan();
      double kept = Objects.requireNonNull(plan.basis(plan.steps().getFirst())).selectivity();
      // Below, all samples were of documents to drop, so that nothing tells the share.
      if (kept > 0.2) {
        told++;
        assertThat(plan.estimate().cost())
            .as("seed %d", seed)
            .isCloseTo(0.001 + 0.1 * kept, withinPercentage(25));
      }
    }
    assertThat(told).isGreaterThan(SEEDS / 2);
  }

  /** A dropped document is a run of one sample; the budget has two samples for each. */
  @Test
  void whatTheFilterSavesPaysForMoreRuns() {
    double samples = 0;
    for (int seed = 0; seed < 6; seed++) {
      samples +=
          search(
                  seed,
                  100,
                  2,
                  RareFilterPromiseTest::observeWithMap,
                  FILTER,
                  TestPrograms.map("answer", "rare", "reply"))
              .actions
              .stream()
              .filter(action ->
                  action instanceof DrawnSample(SampleTask _, SampleStamp stamp, var _)
                      && stamp.alongPlan())
              .count();
    }
    assertThat(samples / 6).isBetween(16.5, 20.5);
  }
}

package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.LoopStatus.Phase;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever the program, the budget, the data plane and the beliefs: every search ends in budget.
 */
class TerminationTest {

  private static final int CASES = 30;
  private static final int MOST_STEPS = 5_000;

  @ParameterizedTest
  @EnumSource(PolicyName.class)
  void everySearchEndsAndOvershootsNoBudgetBeyondWhatIsInFlight(PolicyName policy) {
    for (int seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      SampleBudget budget = budget(random);
      Program program = program(random, budget);
      int arms = 1 + random.nextInt(6);
      Function<SampleTask, Observation> world = world(random, seed);
      Priors priors = priors(random, program, arms);
      TestRun run =
          new TestRun(
              world,
              seed,
              TestRun.settings(arms).toBuilder()
                  .policy(_ -> policy.createHedging(1, 50, priors, 6, 4))
                  .build());

      run.program(program).examples(1 + random.nextInt(9));
      int steps = 0;
      run.decide();
      while (!run.waiting.isEmpty()) {
        assertThat(++steps).as("steps of case %d", seed).isLessThan(MOST_STEPS);
        run.answerOne();
        run.decide();
      }

      assertThat(run.status().phase()).as("case %d", seed).isIn(Phase.FINISHED, Phase.STUCK);
      switch (budget) {
        case SampleBudget.Invocations(int samples) ->
            assertThat(run.issued).as("case %d", seed).hasSizeLessThanOrEqualTo(samples);
        case SampleBudget.Dollars(double usd) -> assertWithin(usd, run, world, seed);
        case SampleBudget.Tokens _ -> throw new AssertionError("not drawn here");
      }
    }
  }

  /** All waves but the last are within the budget: only what was in flight may exceed it. */
  private static void assertWithin(
      double usd, TestRun run, Function<SampleTask, Observation> world, int seed) {
    Map<Long, Double> byWave = new TreeMap<>();
    for (LoopEvent.Caused action : run.actions) {
      if (action instanceof DrawnSample(SampleTask task, SampleStamp stamp, var _)) {
        Observation observation = world.apply(task);
        byWave.merge(stamp.wave(), observation.cost() + observation.judgeCost(), Double::sum);
      }
    }
    List<Double> waves = new ArrayList<>(byWave.values());
    double before = waves.stream().limit(Math.max(0, waves.size() - 1)).mapToDouble(x -> x).sum();
    assertThat(before)
        .as("spent when the last wave of case %d was issued", seed)
        .isLessThanOrEqualTo(usd * (1 + 1e-9));
    assertThat(run.status().spentUsd())
        .isCloseTo(waves.stream().mapToDouble(x -> x).sum(), offset(1e-9));
  }

  private static SampleBudget budget(Random random) {
    return random.nextBoolean()
        ? new SampleBudget.Invocations(1 + random.nextInt(60))
        : new SampleBudget.Dollars(0.001 + random.nextDouble() * 0.2);
  }

  private static Program program(Random random, SampleBudget budget) {
    List<LogicalOperator> operators = new ArrayList<>();
    String input = "messages";
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String id = "op" + i;
      operators.add(
          random.nextInt(3) == 0
              ? TestPrograms.filter(id, input)
              : TestPrograms.map(id, input, "field" + i));
      input = id;
    }
    String[] objectives = {
      "maximize quality",
      "minimize cost subject to quality >= 0.5",
      "maximize quality subject to cost <= 0.004, latency <= 2s"
    };
    return TestPrograms.of(
        objectives[random.nextInt(objectives.length)],
        budget,
        operators.toArray(LogicalOperator[]::new));
  }

  /** Answers scatter; some samples fail, some inputs are dropped; in some worlds everything. */
  private static Function<SampleTask, Observation> world(Random random, long seed) {
    double failing = random.nextInt(8) == 0 ? 1 : random.nextDouble() * 0.3;
    double dropping = random.nextDouble() * 0.5;
    Function<SampleTask, Observation> usual = TestWorld.scattered(seed);
    return task -> {
      if (TestWorld.unit(seed + 5, task.id()) < failing) {
        return TestWorld.observation(task, Outcome.FAILED, 0, 0.002, 1);
      }
      return TestWorld.unit(seed + 6, task.id()) < dropping
          ? TestWorld.observation(task, Outcome.DROPPED, 0.5, 0.002, 1)
          : usual.apply(task);
    };
  }

  /** Half of the time none, else any. */
  private static Priors priors(Random random, Program program, int arms) {
    Map<String, Map<String, OperatorEstimate>> priors = new HashMap<>();
    if (random.nextBoolean()) {
      for (LogicalOperator operator : program.semanticOperators()) {
        Map<String, OperatorEstimate> byId = new HashMap<>();
        for (int i = 0; i < arms; i++) {
          byId.put(
              "model-selection(m" + i + ")",
              new OperatorEstimate(random.nextDouble(), random.nextDouble(), 1, 1));
        }
        priors.put(operator.id(), byId);
      }
    }
    return new Priors(priors);
  }
}

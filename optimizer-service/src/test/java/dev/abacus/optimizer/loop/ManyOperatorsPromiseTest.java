package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three maps, each read by another one, and 4 models for all. After every few samples, other models
 * are the best, so several plans are begun. Mostly the best plan was not run at the end, and the
 * budget does not pay for it. Thousands of plans consist of implementations that were run.
 */
class ManyOperatorsPromiseTest {

  private static final int MODELS = 4;
  private static final int EACH = 4;
  private static final int BUDGET = 148;

  /** Pays for three steps on 16 documents. */
  private static final int SMALLER = 130;

  /**
   * Believes one model after the other to be the best of each operator.
   *
   * @param every number of samples after which other models are the best
   */
  private record Alternating(int every) implements SamplingPolicy {

    @Override
    public Proposal propose(SamplingState state) {
      return new Proposal(
          state.operators().stream()
              .flatMap(operator ->
                  operator.arms().stream()
                      .flatMap(arm ->
                          operator.examples().stream()
                              .limit(EACH)
                              .filter(example -> operator.sample(arm, example) == null)
                              .map(example -> new Pull(operator.operator(), arm, example))))
              .toList(),
          Map.of());
    }

    private static int samples(SamplingState state) {
      return state.operators().stream()
          .flatMap(operator -> operator.arms().stream().map(operator::measurements))
          .mapToInt(List::size)
          .sum();
    }

    @Override
    public Map<String, Map<Arm, Belief>> beliefs(SamplingState state) {
      int stage = (samples(state) - MODELS * EACH * state.operators().size()) / every;
      Map<String, Map<Arm, Belief>> beliefs = new HashMap<>();
      for (OperatorSamples operator : state.operators()) {
        Map<Arm, Belief> ofOperator = new HashMap<>();
        for (int model = 0; model < MODELS; model++) {
          String name = "m" + model;
          int best = operator.operator().startsWith("q") ? stage : stage + stage / MODELS;
          double quality = model == best % MODELS ? 0.9 : 0.89;
          operator.arms().stream()
              .filter(arm -> arm.id().contains(name))
              .forEach(arm ->
                  ofOperator.put(
                      arm,
                      Belief.alone(
                          new OperatorEstimate(
                              arm.id().startsWith("tuple-batch") ? 0.95 : quality, 0.01, 1, 1),
                          EACH,
                          0.05,
                          0.1,
                          0.1)));
        }
        beliefs.put(operator.operator(), ofOperator);
      }
      return beliefs;
    }

    @Override
    public int fullSamples(int configured) {
      return 1;
    }

    @Override
    public boolean hasDeviations() {
      return true;
    }
  }

  private static SemanticMap map(String id, String input, String reads, String writes) {
    return new SemanticMap(
        id,
        input,
        "Fill in " + writes + ".",
        List.of(reads),
        List.of(new Field(writes, new FieldType.StringType(List.of()), "", false)));
  }

  private static Program program(int budget) {
    return TestPrograms.of(
        "maximize quality",
        new SampleBudget.Invocations(budget),
        map("q1", "messages", "text", "x1"),
        map("j1", "q1", "x1", "y1"),
        map("q2", "j1", "text", "x2"),
        map("j2", "q2", "x2", "y2"),
        map("q3", "j2", "text", "x3"),
        map("j3", "q3", "x3", "y3"));
  }

  private static Observation observe(SampleTask task) {
    return TestWorld.observation(task, Observation.Outcome.KEPT, 0.88, 0.01, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 12})
  void aPlanThatWasRunIsPromisedIfTheBudgetDoesNotPayForTheBestOne(int every) {
    TestRun run =
        new TestRun(
                ManyOperatorsPromiseTest::observe,
                1,
                TestRun.measuring(3, MODELS, _ -> new Alternating(every)))
            .program(program(BUDGET))
            .examples(100)
            .finishInWaves();

    assertThat(run.reason()).doesNotContain("not promised");
    assertThat(Objects.requireNonNull(run.activePlan().promise()).examples())
        .isGreaterThanOrEqualTo(2);
  }

  @Test
  void aCallForManyDocumentsDoesNotBeginAsManyRuns() {
    LoopSettings settings =
        LoopSettings.builder(
                3,
                _ -> new Alternating(Integer.MAX_VALUE),
                program -> {
                  Map<String, List<PhysicalOperator>> space = TestRun.space(program, MODELS);
                  space.put("q1", List.of(new TupleBatch("m0", 16)));
                  return space;
                },
                ModelCatalogue.of(List.of()))
            .confirmation(Confirmation.DEFAULT)
            .build();
    TestRun run =
        new TestRun(ManyOperatorsPromiseTest::observe, 1, settings)
            .program(program(SMALLER))
            .examples(100)
            .finishInWaves();

    assertThat(run.activePlan().steps().getFirst().physical()).isInstanceOf(TupleBatch.class);
    assertThat(run.reason()).doesNotContain("not promised");
    assertThat(Objects.requireNonNull(run.activePlan().promise()).examples()).isBetween(2, 8);
  }
}

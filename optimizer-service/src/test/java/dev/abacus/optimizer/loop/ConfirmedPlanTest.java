package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.control.SourceSize;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.program.SampleBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The best plan changes after the last run of the best one: by samples, or by what the policy
 * believes for another reason. The search takes 32 samples, 4 of each model.
 */
class ConfirmedPlanTest {

  private static final int MODELS = 8;
  private static final int EACH = 4;
  private static final int SEARCH = MODELS * EACH;

  /** 32 samples, 8 runs, and nothing is left. */
  private static final int EXACT = 40;

  /** 32 samples, 12 runs, and 16 are left. */
  private static final int AMPLE = 60;

  private static final Map<String, Double> BEFORE = Map.of("m7", 0.90, "m6", 0.85);

  /** Believes one table before this number of samples, and another one from then on. */
  private record Changing(AtomicInteger from, Map<String, Double> then, double deviation)
      implements SamplingPolicy {

    Changing(int from, Map<String, Double> then, double deviation) {
      this(new AtomicInteger(from), then, deviation);
    }

    @Override
    public Proposal propose(SamplingState state) {
      OperatorSamples operator = state.operators().getFirst();
      return new Proposal(
          operator.arms().stream()
              .flatMap(arm ->
                  operator.examples().stream()
                      .limit(EACH)
                      .filter(example -> operator.sample(arm, example) == null)
                      .map(example -> new Pull(operator.operator(), arm, example)))
              .toList(),
          Map.of());
    }

    @Override
    public Map<String, Map<Arm, Belief>> beliefs(SamplingState state) {
      OperatorSamples operator = state.operators().getFirst();
      int samples =
          operator.arms().stream().mapToInt(arm -> operator.measurements(arm).size()).sum();
      Map<Arm, Belief> beliefs = new HashMap<>();
      for (Arm arm : operator.arms()) {
        (samples < from.get() ? BEFORE : then)
            .forEach((model, quality) -> {
              if (arm.id().contains(model)) {
                beliefs.put(
                    arm,
                    Belief.alone(
                        new OperatorEstimate(quality, 0.01, 1, 1), EACH, deviation, 0.1, 0.1));
              }
            });
      }
      return Map.of(operator.operator(), beliefs);
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

  private static Observation observe(SampleTask task) {
    return Observation.of(task)
        .outputs(List.of(task.input()))
        .quality(0.88)
        .scoredBy(Observation.ScoredBy.LABEL)
        .cost(0.01)
        .latency(1)
        .build();
  }

  private static TestRun search(int budget, Changing policy) {
    return new TestRun(ConfirmedPlanTest::observe, 1, TestRun.measuring(3, MODELS, _ -> policy))
        .program(TestPrograms.classifying(new SampleBudget.Invocations(budget)))
        .examples(100)
        .finish();
  }

  private static String model(PhysicalPlan plan) {
    return plan.steps().getFirst().physical().chatModels().getFirst();
  }

  @Test
  void aPlanThatWasNotRunDoesNotReplaceTheConfirmedOneByABitOfQuality() {
    TestRun run = search(EXACT, new Changing(EXACT, Map.of("m3", 0.93, "m7", 0.9), 0.05));

    assertThat(run.issued).hasSize(EXACT);
    assertThat(model(run.activePlan())).isEqualTo("m7");
    PlanPromise promise = Objects.requireNonNull(run.activePlan().promise());
    assertThat(promise.examples()).isGreaterThanOrEqualTo(4);
    assertThat(run.reason()).doesNotContain("not promised");
  }

  @Test
  void aConfirmedPlanThatIsShownWorseIsReplacedAndThePlanSaysWhyItHasNoPromise() {
    TestRun run = search(EXACT, new Changing(EXACT, Map.of("m3", 0.9, "m7", 0.5), 0.01));

    assertThat(model(run.activePlan())).isEqualTo("m3");
    assertThat(run.activePlan().promise()).isNull();
    assertThat(run.reason()).contains("not promised: the budget does not pay for its measurement");
  }

  @Test
  void theConfirmedPlanStaysWhenLiveDocumentsMoveTheEstimates() {
    Changing policy = new Changing(Integer.MAX_VALUE, Map.of("m3", 0.93, "m7", 0.9), 0.05);
    TestRun run = search(EXACT, policy);
    long epoch = run.activePlan().epoch();

    policy.from().set(0);
    run.report(status -> status.sizes(List.of(new SourceSize("messages", 10_000, 10_000 * 200))))
        .finish();

    assertThat(run.activePlan().epoch()).isEqualTo(epoch);
    assertThat(model(run.activePlan())).isEqualTo("m7");
    assertThat(run.activePlan().promise()).isNotNull();
  }

  @Test
  void aPlanThatBecomesTheBestLateIsRunOnWhatTheBudgetHasLeft() {
    int ran = SEARCH + AMPLE / 5;
    TestRun run = search(AMPLE, new Changing(ran, Map.of("m3", 0.93, "m7", 0.9), 0.05));

    assertThat(run.issued).hasSize(ran + 2);
    assertThat(model(run.activePlan())).isEqualTo("m3");
    assertThat(Objects.requireNonNull(run.activePlan().promise()).examples()).isEqualTo(2);
  }

  /** As with local models. */
  @Test
  void aBoundOfZeroIsKeptByModelsWithoutAPrice() {
    TestRun run =
        new TestRun(
                task ->
                    TestWorld.observation(
                        task,
                        Observation.Outcome.KEPT,
                        0.5 + 0.1 * TestWorld.unit(1, task.physical().id()),
                        0,
                        1),
                1,
                TestRun.measuring(1, 4))
            .program(
                TestPrograms.of(
                    "maximize quality subject to cost <= 0",
                    new SampleBudget.Invocations(100),
                    TestPrograms.map("classify", "messages", "intent"),
                    TestPrograms.map("answer", "classify", "reply")))
            .examples(40)
            .finishInWaves();

    assertThat(run.activePlan().estimate().cost()).isZero();
    assertThat(run.activePlan().standing().holds()).isTrue();
  }
}

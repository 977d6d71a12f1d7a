package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.event.Arrivals;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Horizon;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A round of sampling ends when no further sample is worth its price. A fifth of each budget
 * measures plans.
 */
class SamplingByValueTest {

  /** For rounds that end early. */
  private static final int AMPLE = 400;

  /** For rounds that go on. */
  private static final int BUDGET = 100;

  private static final int WHOLE = 80;

  private static final String CHEAP = "minimize cost subject to quality >= 0.6";

  /** Quality and cost of a model. */
  private record Truth(double quality, double cost) {}

  private static final Horizon MONTH = new Horizon(Duration.ofDays(30));

  /** One is far better than the others, which cost the same. */
  private static final Map<String, Truth> CLEAR =
      Map.of(
          "m0", new Truth(0.3, 0.01),
          "m1", new Truth(0.35, 0.01),
          "m2", new Truth(0.93, 0.01),
          "m3", new Truth(0.25, 0.01));

  /** All are good; costs are alike, but one may be somewhat cheaper. */
  private static final Map<String, Truth> ALIKE =
      Map.of(
          "m0", new Truth(0.85, 0.0100),
          "m1", new Truth(0.85, 0.0105),
          "m2", new Truth(0.85, 0.0095),
          "m3", new Truth(0.85, 0.0110));

  private static Observation observe(SampleTask task, Map<String, Truth> world) {
    String model = task.physical().chatModels().getFirst();
    Truth truth = Objects.requireNonNull(world.get(model));
    double noise = TestWorld.unit(7, task.id()) - 0.5;
    double other = TestWorld.unit(8, task.id()) - 0.5;
    return TestWorld.observation(
        task,
        Outcome.KEPT,
        Math.clamp(truth.quality() + 0.2 * noise, 0, 1),
        truth.cost() * (1 + 0.8 * other),
        1 + 0.2 * noise);
  }

  private static TestRun search(
      Map<String, Truth> world, String objective, int budget, Horizon horizon) {
    return search(world, objective, budget, horizon, null);
  }

  private static TestRun search(
      Map<String, Truth> world,
      String objective,
      int budget,
      Horizon horizon,
      @Nullable Arrivals arrivals) {
    LoopSettings settings = TestRun.measuring(3, world.size());
    Program program =
        TestPrograms.of(
            objective,
            new SampleBudget.Invocations(budget),
            TestPrograms.map("classify", "messages", "intent"));
    TestRun run =
        new TestRun(task -> observe(task, world), 1, settings)
            .program(
                program.withSettings(
                    program
                        .settings()
                        .withBudget(
                            new Settings.Budget(program.budget(), program.spending(), horizon))))
            .examples(200);
    if (arrivals != null) {
      run.tell(new LoopEvent.Arriving(arrivals));
    }
    return run.finish();
  }

  private static String model(PhysicalPlan plan) {
    return plan.steps().getFirst().physical().chatModels().getFirst();
  }

  /** Samples of the search, without the runs of plans. */
  private static long searched(TestRun run) {
    return run.topics.stream()
        .filter(event -> event instanceof DrawnSample issued && !issued.stamp().alongPlan())
        .count();
  }

  @Test
  void aPlanThatIsClearlyTheBestEndsTheRoundAndIsPromised() {
    TestRun run = search(CLEAR, "maximize quality", AMPLE, MONTH);

    assertThat(model(run.activePlan())).isEqualTo("m2");
    assertThat(searched(run)).isLessThanOrEqualTo(60);
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(run.reason())
        .contains("further samples are expected to add 0.0")
        .contains("to quality, and less than 0.0010 does not count");
    assertThat(run.activePlan().promise()).isNotNull();
  }

  @Test
  void withoutAHorizonTheWholeBudgetIsUsed() {
    TestRun run =
        new TestRun(task -> observe(task, CLEAR), 1, TestRun.measuring(3, CLEAR.size()))
            .program(TestPrograms.classifying(new SampleBudget.Invocations(BUDGET)))
            .examples(200)
            .finish();

    assertThat(searched(run)).isGreaterThanOrEqualTo(WHOLE);
  }

  @Test
  void aSampleThatCostsMoreThanAllDocumentsToComeCouldSaveIsNotDrawn() {
    TestRun run = search(ALIKE, CHEAP, AMPLE, new Horizon(5));

    // The bound has to hold first: it has no price.
    assertThat(searched(run)).isLessThanOrEqualTo(40);
    assertThat(run.reason())
        .containsPattern(
            "a further sample costs \\$0\\.01\\d* and is expected to save \\$0\\.0\\d+ on 5"
                + " documents");
    assertThat(run.activePlan().promise()).isNotNull();
    assertThat(run.status().feasible()).isTrue();
  }

  @Test
  void forManyDocumentsTheRoundGoesOnUntilItsBudgetIsSpent() {
    TestRun run = search(ALIKE, CHEAP, BUDGET, new Horizon(10_000_000));

    assertThat(searched(run)).isGreaterThanOrEqualTo(WHOLE);
  }

  @Test
  void theDocumentsThatArriveWithinTheHorizonCount() {
    Horizon week = new Horizon(Duration.ofDays(7));
    Arrivals few = new Arrivals(5.0 / week(), 0);
    Arrivals many = new Arrivals(10_000_000.0 / week(), 0);

    assertThat(searched(search(ALIKE, CHEAP, BUDGET, week, few))).isLessThanOrEqualTo(40);
    assertThat(searched(search(ALIKE, CHEAP, BUDGET, week, many))).isGreaterThanOrEqualTo(WHOLE);
    assertThat(searched(search(ALIKE, CHEAP, BUDGET, week, new Arrivals(0, 10_000_000))))
        .isGreaterThanOrEqualTo(WHOLE);
  }

  private static double week() {
    return Duration.ofDays(7).toSeconds();
  }

  @Test
  void aRoundThatHasEndedGoesOnWhenMoreDocumentsArrive() {
    TestRun run = search(ALIKE, CHEAP, BUDGET, MONTH, new Arrivals(0, 5));
    long before = searched(run);
    assertThat(before).isLessThanOrEqualTo(40);

    run.tell(new LoopEvent.Arriving(new Arrivals(0, 5))).finish();
    assertThat(searched(run)).isEqualTo(before);
    // What measured plans is spent already.
    run.tell(new LoopEvent.Arriving(new Arrivals(100, 5))).finish();
    assertThat(searched(run)).isGreaterThan(before + 20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "minimize cost subject to quality >= 0.86",
        "minimize cost subject to quality >= 0.99",
        "maximize quality subject to cost <= 0.0092"
      })
  void whileABoundIsNotKnownToHoldNothingEndsTheRoundButItsBudget(String objective) {
    TestRun run = search(ALIKE, objective, BUDGET, new Horizon(1));

    assertThat(run.status().feasible()).isFalse();
    assertThat(searched(run)).isGreaterThanOrEqualTo(WHOLE);
  }

  @Test
  void aRoundThatEndedByItsValueDoesNotBeginAgainAfterARestart() {
    TestRun run = search(ALIKE, CHEAP, AMPLE, new Horizon(5));
    int issued = run.issued.size();

    assertThat(run.restart().decide()).isEmpty();
    assertThat(run.finish().issued).hasSize(issued);
  }

  @Test
  void afterARestartNothingIsSampledBeforeDocumentsAreCounted() {
    Arrivals few = new Arrivals(0, 5);
    TestRun run = search(ALIKE, CHEAP, BUDGET, MONTH, few);
    int issued = run.issued.size();

    run.restart(
        run.topics.stream().filter(event -> !(event instanceof LoopEvent.Arriving)).toList());
    run.finish().tell(new LoopEvent.Arriving(few)).finish();
    assertThat(run.issued).hasSize(issued);
    run.tell(new LoopEvent.Arriving(Arrivals.UNKNOWN)).finish();
    assertThat(run.issued).hasSizeGreaterThan(issued);
  }

  @Test
  void fasterPlansEndTheRoundWhenTheEstimateCannotShowWhatIsLeftToGain() {
    TestRun run = search(CLEAR, "minimize latency subject to quality >= 0.6", BUDGET, MONTH);

    assertThat(model(run.activePlan())).isEqualTo("m2");
    assertThat(searched(run)).isLessThan(WHOLE);
  }
}

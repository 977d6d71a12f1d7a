package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.StoredAnswers;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.control.AnswerReuse;
import dev.abacus.schemas.control.OperatorReuse;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.SampleBudget;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promise of a plan is the cost of live documents, some of whose requests are repeats. */
class StoredAnswersTest {

  private static final double COST = 0.01;
  private static final double LATENCY = 2;
  private static final int TOKENS = 400;
  private static final int DOCUMENTS = 1_000;

  /** Documents of which every second one repeats an earlier one, as a worker counts them. */
  private static final class Stream {

    private final Random random = new Random(7);
    private double cost;
    private double latency;
    private OperatorReuse reuse = new OperatorReuse("classify", 0, 0, 0, 0);

    Stream(int documents) {
      for (int i = 0; i < documents; i++) {
        boolean repeated = random.nextBoolean();
        double size = 0.8 + 0.4 * random.nextDouble();
        long tokens = Math.round(size * TOKENS);
        cost += repeated ? 0 : size * COST;
        latency += repeated ? 0 : LATENCY;
        reuse =
            reuse.plus(
                new OperatorReuse("classify", 1, repeated ? 1 : 0, tokens, repeated ? tokens : 0));
      }
      cost /= documents;
      latency /= documents;
    }

    AnswerReuse report() {
      return new AnswerReuse(reuse.requests(), reuse.saved(), 0, 0, List.of(reuse));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 60})
  void aPlanIsPromisedAtTheCostOfDocumentsThatRepeat(int examples) {
    TestRun run = search(examples, new SampleBudget.Invocations(60));
    PhysicalPlan before = run.activePlan();
    Stream live = new Stream(DOCUMENTS);

    report(run, new Stream(10).report());
    assertThat(run.decide()).as("too few requests").isEmpty();
    report(run, live.report());
    int samples = samples(run);

    PhysicalPlan after = run.activePlan();
    PlanPromise promise = Objects.requireNonNull(after.promise());
    assertThat(before.estimate().cost()).isCloseTo(COST, withinPercentage(3));
    assertThat(promise.cost().mean()).isCloseTo(live.cost, withinPercentage(5));
    assertThat(promise.latency().mean()).isCloseTo(live.latency, withinPercentage(5));
    assertThat(contains(promise.cost(), live.cost)).isTrue();
    assertThat(contains(promise.latency(), live.latency)).isTrue();
    assertThat(after.estimate().quality()).isEqualTo(before.estimate().quality());
    assertThat(samples).as("samples because of repeats").isZero();
    assertThat(run.reason())
        .containsPattern("the answer store saves \\d\\d\\.\\d % of \\$0\\.0[01]");

    report(run, new Stream(DOCUMENTS + 20).report());
    assertThat(run.decide()).as("nearly as many repeats").isEmpty();
    report(run, new AnswerReuse(0, 0, 0, 0, List.of()));
    assertThat(run.decide()).as("a worker that has just started").isEmpty();
    report(run, null);
    run.finishInWaves();
    assertThat(run.activePlan().estimate()).as("without a store").isEqualTo(before.estimate());
  }

  @Test
  void fewRequestsLeaveTheCostUncertain() {
    TestRun few = search(60, new SampleBudget.Invocations(60));
    TestRun many = search(60, new SampleBudget.Invocations(60));

    report(few, new Stream(24).report());
    report(many, new Stream(DOCUMENTS).report());
    few.finishInWaves();
    many.finishInWaves();

    assertThat(relativeWidth(few)).isGreaterThan(1.5 * relativeWidth(many));
  }

  @Test
  void repeatsDoNotPayForSamples() {
    TestRun run = search(60, new SampleBudget.Dollars(60 * COST));

    report(run, new Stream(DOCUMENTS).report());

    assertThat(samples(run)).isZero();
  }

  @Test
  void batchesAndMixturesAboveTemperatureZeroAreCheaperOnlyIfTheyWereCounted() {
    PhysicalOperator mixture = new MixtureOfAgents(List.of("gpt-4o", "gpt-4o-mini"), 0.4, "gpt-4o");
    PhysicalOperator single = new ModelSelection("gpt-4o");

    PhysicalOperator batch = new TupleBatch("gpt-4o", 4);

    assertThat(half("another").of("classify", batch).cost()).isEqualTo(1);
    assertThat(half(batch.id()).of("classify", batch).cost()).isEqualTo(0.5);
    assertThat(half("another").of("classify", mixture).cost()).isEqualTo(1);
    assertThat(half("another").of("classify", single).cost()).isEqualTo(0.5);
    assertThat(half("another").of("other", single).cost()).isEqualTo(1);
    assertThat(half(mixture.id()).of("classify", mixture).cost()).isEqualTo(0.5);
  }

  /** A filter in one branch that passes a tenth saves nothing in the other branch. */
  @Test
  void whatIsSavedInABranchDoesNotDependOnTheOtherOne() {
    PhysicalOperator model = new ModelSelection("m0");
    List<PlanStep> plan =
        List.of(
            new PlanStep(TestPrograms.filter("rare", "messages"), model),
            new PlanStep(TestPrograms.map("classify", "messages", "intent"), model),
            new PlanStep(new Merge("both", "rare", "classify"), new Relational()));
    Map<String, OperatorEstimate> means =
        Map.of(
            "rare", new OperatorEstimate(1, 0.001, 1, 0.1),
            "classify", new OperatorEstimate(1, 0.01, 1, 1));

    double ratio =
        half(model.id())
            .withoutStore(
                plan,
                step -> {
                  OperatorEstimate mean = means.get(step.logical().id());
                  return mean == null ? null : Belief.certain(mean, 1);
                },
                Fanouts.STATED);

    assertThat(ratio).isCloseTo((0.001 + 0.02) / (0.001 + 0.01), withinPercentage(1));
  }

  private static StoredAnswers half(String counted) {
    return new StoredAnswers(
        Map.of("classify", new StoredAnswers.Remainder(counted, 0.5, 0.5, 0.1)));
  }

  private static boolean contains(Range range, double value) {
    return Objects.requireNonNull(range.low()) < value
        && value < Objects.requireNonNull(range.high());
  }

  private static double relativeWidth(TestRun run) {
    Range cost = Objects.requireNonNull(run.activePlan().promise()).cost();
    return (Objects.requireNonNull(cost.high()) - Objects.requireNonNull(cost.low())) / cost.mean();
  }

  private static void report(TestRun run, @Nullable AnswerReuse reuse) {
    run.report(status -> status.reuse(reuse));
  }

  private static TestRun search(int examples, SampleBudget budget) {
    TestRun run =
        new TestRun(StoredAnswersTest::observe, 1, TestRun.measuring(1, 3))
            .program(TestPrograms.classifying(budget));
    for (int i = 0; i < examples; i++) {
      run.tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  "m" + i,
                  "messages",
                  Document.empty().with("text", JsonNodeFactory.instance.textNode("message " + i)),
                  Map.of())));
    }
    return run.finishInWaves();
  }

  /** Continues the search; returns the number of further samples. */
  private static int samples(TestRun run) {
    int before = run.issued.size();
    return run.finishInWaves().issued.size() - before;
  }

  /** Every call costs about the same. */
  private static Observation observe(SampleTask task) {
    double noise = 0.95 + 0.1 * TestWorld.unit(2, task.id());
    return Observation.of(task)
        .outcome(Observation.Outcome.KEPT)
        .quality(0.9)
        .scoredBy(Observation.ScoredBy.LABEL)
        .cost(noise * COST)
        .latency(noise * LATENCY)
        .outputs(List.of(task.input()))
        .build();
  }
}

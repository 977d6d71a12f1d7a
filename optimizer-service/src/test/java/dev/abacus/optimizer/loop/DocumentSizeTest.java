package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.SourceSize;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.SampleBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Documents of very different lengths: what is promised is the cost of the mean document. */
class DocumentSizeTest {

  private static final int BUDGET = 60;
  private static final int EXAMPLES = 60;
  private static final int SEEDS = 20;

  /** Lengths of contracts: log-normal, the standard deviation as large as the mean. */
  private static List<ValidationExample> examples(long seed) {
    Random random = new Random(seed);
    List<ValidationExample> examples = new ArrayList<>();
    for (int i = 0; i < EXAMPLES; i++) {
      int length = (int) (2_000 * Math.exp(0.8 * random.nextGaussian()));
      examples.add(
          new ValidationExample(
              "d" + i,
              "messages",
              Document.empty().with("text", JsonNodeFactory.instance.textNode("x".repeat(length))),
              Map.of()));
    }
    return examples;
  }

  /** USD per character differs by model; a fifth of the cost at 2,000 characters is fixed. */
  private static double cost(String model, int length) {
    return 1e-6 * (1 + Integer.parseInt(model.substring(1))) * (500 + length);
  }

  @Test
  void theCostOfTheMeanDocumentIsPromised() {
    double squares = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      List<ValidationExample> examples = examples(seed);
      PhysicalPlan plan = search(seed, examples).activePlan();
      String model = plan.steps().getFirst().physical().chatModels().getFirst();
      double truth =
          examples.stream()
              .mapToDouble(example -> cost(model, example.document().textLength()))
              .average()
              .orElseThrow();
      double error = plan.estimate().cost() / truth - 1;
      squares += error * error;
    }
    assertThat(Math.sqrt(squares / SEEDS)).isLessThan(0.03);
  }

  /** The examples are a sample of all documents: with 60, their mean is wrong by 12 %. */
  @Test
  void theIntervalContainsTheCostOfAllDocuments() {
    double mean = 2_000 * Math.exp(0.8 * 0.8 / 2);
    int covered = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      PhysicalPlan plan = search(seed, examples(seed)).activePlan();
      String model = plan.steps().getFirst().physical().chatModels().getFirst();
      Range promised = Objects.requireNonNull(plan.promise()).cost();
      double truth = cost(model, (int) mean);
      covered +=
          Objects.requireNonNull(promised.low()) <= truth
                  && truth <= Objects.requireNonNull(promised.high())
              ? 1
              : 0;
    }
    assertThat(covered).isGreaterThan(SEEDS * 8 / 10);
  }

  @Test
  void theEstimateFollowsTheLengthOfLiveDocuments() {
    List<ValidationExample> examples = examples(1);
    TestRun run = search(1, examples);
    long epoch = run.activePlan().epoch();

    long asLong = Math.round(meanLength(examples));
    report(run, 1_000, asLong);
    assertThat(run.decide()).as("as long as the examples").isEmpty();
    report(run, 10, 20_000);
    assertThat(run.decide()).as("too few documents").isEmpty();
    report(run, 10_000, 20_000);
    run.decide();

    PhysicalPlan plan = run.activePlan();
    String model = plan.steps().getFirst().physical().chatModels().getFirst();
    assertThat(plan.epoch()).as("the same plan, with a new estimate").isEqualTo(epoch);
    assertThat(plan.estimate().cost()).isCloseTo(cost(model, 20_000), withinPercentage(10));
    assertThat(run.reason())
        .containsPattern(
            "live documents of 'messages' are \\d\\.\\d\\d times as long as the examples");
    report(run, 10_100, 20_100);
    assertThat(run.decide()).as("nearly the same length").isEmpty();
  }

  /** Cheap on short documents: the whole text; on long ones: a part of it, for a fixed price. */
  private static final List<PhysicalOperator> WHOLE_OR_PART =
      List.of(new ModelSelection("m0"), new HeadAndTail("m0", 1_280));

  /** A filter that is written behind a map runs before it, and the map for a tenth only. */
  @Test
  void aPlanThatStaysIsEstimatedInItsOwnOrder() {
    LoopSettings settings =
        LoopSettings.builder(
                1,
                priors -> PolicyName.SURROGATE.create(1, 1, priors),
                _ -> Map.of("title", WHOLE_OR_PART.subList(0, 1), "rare", WHOLE_OR_PART),
                ModelCatalogue.of(List.of()))
            .confirmation(Confirmation.DEFAULT)
            .build();
    TestRun run =
        new TestRun(DocumentSizeTest::filtered, 1, settings)
            .program(
                TestPrograms.of(
                    "maximize quality",
                    new SampleBudget.Invocations(120),
                    TestPrograms.map("title", "messages", "title"),
                    TestPrograms.filter("rare", "title")));
    examples(1).forEach(example -> run.tell(new LoopEvent.ExampleSet(example)));
    run.finishInWaves();
    PhysicalPlan before = run.activePlan();
    assertThat(before.choice().signature())
        .isEqualTo("rare=model-selection(m0) -> title=model-selection(m0)");

    report(run, 10_000, 20_000);
    run.finishInWaves();

    PhysicalPlan after = run.activePlan();
    assertThat(after.epoch()).isEqualTo(before.epoch());
    assertThat(run.reason()).contains("the plan stays; the best other plan: better cost");
    double ofTitle = before.estimate().cost() - 1e-6 * meanLength(examples(1));
    assertThat(after.estimate().cost()).isCloseTo(1e-6 * 20_000 + ofTitle, withinPercentage(15));
  }

  private static double meanLength(List<ValidationExample> examples) {
    return examples.stream()
        .mapToInt(example -> example.document().textLength())
        .average()
        .orElseThrow();
  }

  private static Observation filtered(SampleTask task) {
    boolean filter = task.operator().decides();
    boolean dropped = filter && TestWorld.unit(7, task.exampleId()) > 0.1;
    double ofFilter =
        task.physical() instanceof HeadAndTail ? 0.006 : 1e-6 * task.input().textLength();
    return TestWorld.observation(
        task, dropped ? Outcome.DROPPED : Outcome.KEPT, 0.9, filter ? ofFilter : 0.03, 1);
  }

  private static void report(TestRun run, long documents, long length) {
    run.report(
        status -> status.sizes(List.of(new SourceSize("messages", documents, documents * length))));
  }

  private static TestRun search(long seed, List<ValidationExample> examples) {
    TestRun run =
        new TestRun(task -> observe(seed, task), seed, TestRun.measuring(seed, 8))
            .program(TestPrograms.classifying(new SampleBudget.Invocations(BUDGET)));
    examples.forEach(example -> run.tell(new LoopEvent.ExampleSet(example)));
    return run.finishInWaves();
  }

  private static Observation observe(long seed, SampleTask task) {
    String model = task.physical().chatModels().getFirst();
    double noise = 0.9 + 0.2 * TestWorld.unit(seed, task.id());
    double quality = 0.3 + 0.08 * Integer.parseInt(model.substring(1));
    return Observation.of(task)
        .outputs(List.of(task.input()))
        .quality(Math.clamp(quality + 0.1 * (TestWorld.unit(seed + 1, task.id()) - 0.5), 0, 1))
        .scoredBy(Observation.ScoredBy.LABEL)
        .cost(noise * cost(model, task.input().textLength()))
        .latency(1)
        .build();
  }
}

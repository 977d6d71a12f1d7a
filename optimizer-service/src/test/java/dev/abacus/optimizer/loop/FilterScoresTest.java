package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.program.Validation;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The quality of a filter of which one document in ten is to be kept. Implementation m0 drops every
 * document. m1 keeps all that are to be kept, and one other document in five. m2 keeps half of
 * those to be kept and no other.
 */
class FilterScoresTest {

  private static final int EXAMPLES = 40;

  private static boolean keep(int number) {
    return number % 10 == 0;
  }

  private static boolean kept(String model, int number) {
    return switch (model) {
      case "m0" -> false;
      case "m1" -> keep(number) || number % 5 == 1;
      default -> number % 20 == 0;
    };
  }

  private static Observation observed(SampleTask task) {
    int number = Integer.parseInt(task.exampleId().substring(1));
    String model = task.physical().chatModels().getFirst();
    boolean kept = kept(model, number);
    return Observation.of(task)
        .outcome(kept ? Outcome.KEPT : Outcome.DROPPED)
        .outputs(kept ? List.of(task.input()) : List.of())
        .quality(kept == keep(number) ? 1.0 : 0.0)
        .scoredBy(ScoredBy.LABEL)
        .cost(0.001)
        .latency(1)
        .build();
  }

  private static Program program(String metric) {
    Program program =
        TestPrograms.of(
            "maximize quality",
            new SampleBudget.Invocations(3 * EXAMPLES),
            TestPrograms.filter("rare", "messages"));
    return metric.isEmpty() ? program : program.withSettings(scoredBy(metric, program.settings()));
  }

  private static ValidationExample example(int number) {
    return new ValidationExample(
        "e" + number,
        "messages",
        TestPrograms.example(number).document(),
        Map.of("rare", BooleanNode.valueOf(keep(number))));
  }

  private static String chosen(String metric) {
    TestRun run = new TestRun(FilterScoresTest::observed, 1, TestRun.settings(3));
    run.set(new ControlRecord.ProgramSet(program(metric)));
    IntStream.range(0, EXAMPLES).forEach(i -> run.tell(new LoopEvent.ExampleSet(example(i))));
    return run.finish().activePlan().choice().steps().getFirst().physical().id();
  }

  /** Samples of all implementations on all examples. */
  private static Map<PhysicalOperator, ArmStatistics> statistics(String metric) {
    return statistics(metric, EXAMPLES, IntStream.range(0, EXAMPLES).boxed().toList());
  }

  /** Samples of all implementations on some examples. */
  private static Map<PhysicalOperator, ArmStatistics> statistics(
      String metric, int examples, List<Integer> sampled) {
    StateFixture state = new StateFixture(program(metric), 3);
    for (int i = 0; i < examples; i++) {
      state.state().apply(new LoopEvent.ExampleSet(example(i)));
    }
    for (int i = 0; i < 3 * sampled.size(); i++) {
      ValidationExample example = example(sampled.get(i / 3));
      SampleTask task =
          SampleTask.builder("t" + i, TestPrograms.NAME)
              .operator(TestPrograms.filter("rare", "messages"))
              .physical(new ModelSelection("m" + i % 3))
              .exampleId(example.id())
              .input(example.document())
              .label(example.label("rare"))
              .judge(Program.DEFAULT_JUDGE)
              .build();
      state.state().apply(new LoopEvent.Observed(observed(state.issue(task, 0, "search"))));
    }
    return statistics(state);
  }

  private static Settings scoredBy(String metric, Settings settings) {
    return settings.withValidation(
        new Validation(settings.validation().topic(), Map.of("rare", QualityMetric.parse(metric))));
  }

  private static Map<PhysicalOperator, ArmStatistics> statistics(StateFixture state) {
    return state
        .view()
        .sampled(Objects.requireNonNull(state.program().operator("rare")))
        .statistics();
  }

  private static double quality(Map<PhysicalOperator, ArmStatistics> statistics, String model) {
    ArmStatistics arm = Objects.requireNonNull(statistics.get(new ModelSelection(model)));
    return Objects.requireNonNull(arm.quality()).mean();
  }

  /** Empty metric: the default, balanced accuracy. */
  @ParameterizedTest
  @CsvSource({
    "'', m1, 0.50, 0.89, 0.75",
    "accuracy, m2, 0.90, 0.80, 0.95",
    "f1, m2, 0.00, 0.50, 0.67",
    "recall, m1, 0.00, 1.00, 0.50",
    "precision, m2, 1.00, 0.33, 1.00"
  })
  void aFilterIsScoredByItsMetric(
      String metric, String best, double ofM0, double ofM1, double ofM2) {
    Map<PhysicalOperator, ArmStatistics> statistics = statistics(metric);

    assertThat(quality(statistics, "m0")).isCloseTo(ofM0, within(0.2));
    assertThat(quality(statistics, "m1")).isCloseTo(ofM1, within(0.12));
    assertThat(quality(statistics, "m2")).isCloseTo(ofM2, within(0.12));
    assertThat(chosen(metric)).isEqualTo(new ModelSelection(best).id());
  }

  /** Each of eight implementations is right about one document to keep and one other. */
  @Test
  void decisionsOfSeveralImplementationsAboutOneDocumentCountAsOne() {
    assertThat(qualityOfOneOfEight(List.of(0, 1)))
        .as("usual share (1 + 1.5) ÷ 3, own one (1 + 0.83) ÷ 2")
        .isCloseTo(0.917, within(0.001));
    assertThat(
            qualityOfOneOfEight(IntStream.range(0, 100).filter(i -> i % 10 < 2).boxed().toList()))
        .as("usual share (8 + 1.5) ÷ 10, own one (1 + 0.95) ÷ 2")
        .isCloseTo(0.975, within(0.001));
  }

  /** Implementations are all right; each gets the next two of these examples. */
  private static double qualityOfOneOfEight(List<Integer> sampled) {
    StateFixture state = new StateFixture(program(""), 8);
    IntStream.range(0, 100).forEach(i -> state.state().apply(new LoopEvent.ExampleSet(example(i))));
    for (int i = 0; i < 16; i++) {
      ValidationExample example = example(sampled.get(i % sampled.size()));
      SampleTask task =
          SampleTask.builder("t" + i, TestPrograms.NAME)
              .operator(TestPrograms.filter("rare", "messages"))
              .physical(new ModelSelection("m" + i / 2))
              .exampleId(example.id())
              .input(example.document())
              .label(example.label("rare"))
              .judge(Program.DEFAULT_JUDGE)
              .build();
      boolean kept = keep(sampled.get(i % sampled.size()));
      state
          .state()
          .apply(
              new LoopEvent.Observed(
                  Observation.of(state.issue(task, 0, "search"))
                      .outcome(kept ? Outcome.KEPT : Outcome.DROPPED)
                      .outputs(kept ? List.of(task.input()) : List.of())
                      .quality(1.0)
                      .scoredBy(ScoredBy.LABEL)
                      .cost(0.001)
                      .latency(1)
                      .build()));
    }
    return quality(statistics(state), "m0");
  }

  /** Of 400 labelled examples, ten to keep and thirty others are sampled. */
  @Test
  void samplesOfTheRarerClassCountByItsShareOfTheLabels() {
    List<Integer> sampled =
        IntStream.range(0, 400)
            .filter(i -> i % 40 == 0 || (i % 13 == 1 && !keep(i)))
            .limit(40)
            .boxed()
            .toList();
    assertThat(sampled.stream().filter(FilterScoresTest::keep).count()).isBetween(10L, 20L);

    Map<PhysicalOperator, ArmStatistics> statistics = statistics("f1", 400, sampled);

    ArmStatistics m1 = Objects.requireNonNull(statistics.get(new ModelSelection("m1")));
    assertThat(Objects.requireNonNull(m1.estimate()).selectivity())
        .as("a tenth, and one in five of the others")
        .isCloseTo(0.28, within(0.08));
    assertThat(quality(statistics, "m1"))
        .as("precision 0.36, recall 1")
        .isCloseTo(0.53, within(0.1));
  }

  /** Of 200 examples one in ten is to be kept; a quarter of the first samples are of these. */
  @Test
  void theFirstSamplesContainTheRarerClass() {
    assertThat(rareOfFirst("")).isEqualTo(0.25);
    assertThat(rareOfFirst("accuracy")).isLessThan(0.25);
  }

  private static double rareOfFirst(String metric) {
    TestRun run = new TestRun(FilterScoresTest::observed, 1, TestRun.settings(3));
    run.set(new ControlRecord.ProgramSet(program(metric)));
    IntStream.range(0, 200).forEach(i -> run.tell(new LoopEvent.ExampleSet(example(i))));
    run.decide();
    return run.issued.stream()
        .mapToInt(task -> Integer.parseInt(task.exampleId().substring(1)))
        .distinct()
        .mapToDouble(number -> keep(number) ? 1 : 0)
        .average()
        .orElseThrow();
  }
}

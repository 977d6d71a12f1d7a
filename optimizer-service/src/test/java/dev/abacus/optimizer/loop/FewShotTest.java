package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Implementations that show labelled examples, and are better than one call without. */
class FewShotTest {

  private static final int BUDGET = 60;
  private static final List<PhysicalOperator> ARMS =
      List.of(
          new ModelSelection("m0"),
          new ModelSelection("m1"),
          new FewShot("m0", 2, null),
          new FewShot("m1", 4, null));

  private static LoopSettings settings() {
    return settings(ARMS.toArray(PhysicalOperator[]::new));
  }

  private static LoopSettings settings(PhysicalOperator... all) {
    return LoopSettings.builder(
            3,
            priors -> PolicyName.SURROGATE.create(3, BUDGET, priors),
            program -> {
              List<PhysicalOperator> arms =
                  Stream.of(all)
                      .filter(arm -> program.validation().fewShot() || arm.examples() == 0)
                      .toList();
              Map<String, List<PhysicalOperator>> space = new HashMap<>();
              program.semanticOperators().forEach(operator -> space.put(operator.id(), arms));
              return space;
            },
            ModelCatalogue.of(List.of()))
        .confirmation(Confirmation.DEFAULT)
        .build();
  }

  private static Observation observed(SampleTask task) {
    boolean shows = task.physical() instanceof FewShot;
    double scatter = 0.1 * (TestWorld.unit(5, task.id()) - 0.5);
    return TestWorld.observation(
        task, Outcome.KEPT, (shows ? 0.9 : 0.6) + scatter, shows ? 0.002 : 0.001, 1);
  }

  private static ValidationExample labelled(int number, String text, String intent) {
    JsonNode label = JsonNodeFactory.instance.objectNode().put("intent", intent);
    return new ValidationExample(
        "e" + number,
        "messages",
        Document.empty().with("text", JsonNodeFactory.instance.textNode(text)),
        Map.of(
            "classify", label, "answer", JsonNodeFactory.instance.objectNode().put("reply", "r")));
  }

  private static TestRun search(LogicalOperator... operators) {
    return new TestRun(FewShotTest::observed, 1, settings()).program(program(operators));
  }

  private static Program program(LogicalOperator... operators) {
    return TestPrograms.of("maximize quality", new SampleBudget.Invocations(BUDGET), operators);
  }

  private static TestRun classifying() {
    return search(TestPrograms.map("classify", "messages", "intent"));
  }

  private static void examples(TestRun run, int number) {
    for (int i = 0; i < number; i++) {
      // Every text occurs twice.
      run.tell(new LoopEvent.ExampleSet(labelled(i, "text number " + i / 2, "intent " + i % 3)));
    }
  }

  private static List<SampleTask> withExamples(TestRun run) {
    return run.issued.stream().filter(task -> task.physical() instanceof FewShot).toList();
  }

  private static List<SolvedExample> shown(PhysicalOperator physical) {
    return Objects.requireNonNull(((FewShot) physical).shown());
  }

  @Test
  void noPromptContainsTheExampleThatIsMeasuredOrOneWithTheSameInput() {
    TestRun run = classifying();
    examples(run, 80);
    run.finish();

    assertThat(withExamples(run)).hasSizeGreaterThan(20);
    assertThat(run.status().samplesObserved()).isEqualTo(run.status().samplesIssued());
    Set<String> everShown = new HashSet<>();
    for (SampleTask task : withExamples(run)) {
      assertThat(shown(task.physical()))
          .hasSize(((FewShot) task.physical()).k())
          .noneMatch(example -> example.id().equals(task.exampleId()))
          .noneMatch(example -> example.input().equals(task.input()));
      shown(task.physical()).forEach(example -> everShown.add(example.id()));
    }
    // At most four at once, and one that takes the place of the measured one.
    assertThat(everShown).hasSizeLessThanOrEqualTo(5);
  }

  @Test
  void anExampleThatPromptsShowIsMeasuredWithAnotherInItsPlace() {
    TestRun run = classifying();
    for (int i = 0; i < 6; i++) {
      run.tell(new LoopEvent.ExampleSet(labelled(i, "text number " + i, "intent " + i % 3)));
    }
    run.finish();

    Set<String> shown = new HashSet<>();
    withExamples(run)
        .forEach(task -> shown(task.physical()).forEach(example -> shown.add(example.id())));
    assertThat(withExamples(run))
        .anyMatch(task -> shown.contains(task.exampleId()))
        .allSatisfy(
            task -> assertThat(shown(task.physical())).hasSize(((FewShot) task.physical()).k()))
        .allSatisfy(task ->
            assertThat(shown(task.physical())).extracting("id").doesNotContain(task.exampleId()));
  }

  @Test
  void thePlanContainsTheExamplesThatLivePromptsShow() {
    TestRun run = classifying();
    examples(run, 80);
    PhysicalPlan plan = run.finish().activePlan();

    PhysicalOperator chosen = plan.steps().getFirst().physical();
    assertThat(chosen).isInstanceOf(FewShot.class);
    assertThat(shown(chosen)).hasSize(((FewShot) chosen).k()).doesNotHaveDuplicates();
    // Diverse: all three answers come before any comes twice.
    if (shown(chosen).size() > 2) {
      assertThat(shown(chosen).subList(0, 3)).extracting("label").doesNotHaveDuplicates();
    }
    // A restart chooses the same.
    run.restart().decide();
    assertThat(run.activePlan().steps().stream().map(PlanStep::physical)).contains(chosen);
  }

  @Test
  void aPlanContainsTheExamplesAmongWhichEachDocumentsAreChosen() {
    PhysicalOperator similar = new FewShot("m0", 4, "e", null);
    TestRun run =
        new TestRun(FewShotTest::observed, 1, settings(new ModelSelection("m0"), similar))
            .program(program(TestPrograms.map("classify", "messages", "intent")));
    examples(run, 80);
    run.finish();

    assertThat(withExamples(run)).isNotEmpty();
    for (SampleTask task : withExamples(run)) {
      assertThat(shown(task.physical()))
          .hasSize(FewShot.POOL)
          .noneMatch(example -> example.id().equals(task.exampleId()))
          .noneMatch(example -> example.input().equals(task.input()));
    }
    PhysicalOperator chosen = run.activePlan().steps().getFirst().physical();
    assertThat(chosen.id()).isEqualTo("few-shot(m0,k=4,e)");
    assertThat(shown(chosen)).hasSize(FewShot.POOL).doesNotHaveDuplicates();
  }

  @Test
  void withoutEnoughLabelledExamplesNoPromptShowsAny() {
    TestRun run = classifying();
    run.tell(new LoopEvent.ExampleSet(labelled(0, "one", "a")));
    run.tell(new LoopEvent.ExampleSet(labelled(1, "two", "b")));
    run.tell(new LoopEvent.ExampleSet(labelled(2, "x".repeat(5000), "b")));
    run.examples(20).finish();

    assertThat(run.issued).isNotEmpty();
    assertThat(withExamples(run)).isEmpty();
    assertThat(run.activePlan().steps().getFirst().physical()).isInstanceOf(ModelSelection.class);
  }

  @Test
  void aProgramThatKeepsExamplesOutGetsAPlanWithoutThemAtOnce() {
    TestRun run = classifying();
    examples(run, 80);
    PhysicalPlan before = run.finish().activePlan();
    assertThat(before.choice().showsExamples()).isTrue();
    int samples = run.issued.size();
    run.set(new ControlRecord.Pinned(TestPrograms.NAME, "classify", new FewShot("m0", 2, null)));

    run.program(program(TestPrograms.map("classify", "messages", "intent")).withFewShot(false));
    run.decide();

    PhysicalPlan now = run.activePlan();
    assertThat(now.epoch()).isGreaterThan(before.epoch());
    assertThat(now.showsExamples()).as("plan and frontier").isFalse();
    run.finish();
    assertThat(run.issued.subList(samples, run.issued.size()))
        .noneMatch(task -> task.physical() instanceof FewShot);
    assertThat(run.plans.stream().filter(plan -> plan.epoch() > before.epoch()))
        .noneMatch(PhysicalPlan::showsExamples);
  }

  @Test
  void anOperatorThatReadsWhatAModelWroteShowsNoExamples() {
    TestRun run =
        search(
            TestPrograms.map("classify", "messages", "intent"),
            new SemanticMap(
                "answer",
                "classify",
                "Answer.",
                List.of("intent"),
                TestPrograms.map("answer", "classify", "reply").writes()));
    examples(run, 40);
    run.finish();

    assertThat(withExamples(run)).extracting(task -> task.operator().id()).containsOnly("classify");
  }
}

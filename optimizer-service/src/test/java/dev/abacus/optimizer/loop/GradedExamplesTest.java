package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.GradedExample;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The graded examples that the judge sees, in a search over labelled and other examples. */
class GradedExamplesTest {

  private static final int EXAMPLES = 3;

  /** The scores that labels gave, by example and output. */
  private final Map<String, Double> scores = new HashMap<>();

  /** A data plane whose labelled samples score 0, 0.5 or 1. */
  private Observation observed(SampleTask task) {
    boolean judged = task.needsJudge();
    double score = judged ? 0.7 : Math.floor(3 * TestWorld.unit(7, task.id())) / 2;
    Observation observation = TestWorld.observation(task, Outcome.KEPT, score, 0.001, 1);
    if (!judged) {
      String output = observation.outputs().getFirst().get("intent").asText();
      scores.put(task.exampleId() + output, score);
    }
    return observation.toBuilder()
        .quality(score)
        .scoredBy(judged ? ScoredBy.JUDGE : ScoredBy.LABEL)
        .build();
  }

  private static Program program(int examples) {
    Program program =
        TestPrograms.of(
            "maximize quality",
            new SampleBudget.Invocations(80),
            TestPrograms.map("classify", "messages", "intent"));
    Settings settings = program.settings();
    return new Program(
        program.name(),
        program.sources(),
        program.references(),
        program.operators(),
        program.results(),
        settings.withModels(
            new Settings.Models(List.of(), List.of(), settings.models().judge(), null, examples)));
  }

  /** Every second example has a label; each text occurs twice. */
  private TestRun search(Program program) {
    TestRun run = new TestRun(this::observed, 1, TestRun.settings(6)).program(program);
    for (int i = 0; i < 24; i++) {
      Document document =
          Document.empty()
              .with("text", JsonNodeFactory.instance.textNode("text number " + i / 2))
              .with("unread", JsonNodeFactory.instance.textNode("x".repeat(10_000)));
      run.tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  "e" + i,
                  "messages",
                  document,
                  i % 2 == 0
                      ? Map.of("classify", JsonNodeFactory.instance.objectNode().put("intent", "a"))
                      : Map.of())));
    }
    return run.finish();
  }

  private static List<GradedExample> shown(SampleTask task) {
    return Objects.requireNonNullElse(task.judgeExamples(), List.of());
  }

  @Test
  void theJudgeSeesOutputsOfLabelledSamplesWithTheirScores() {
    TestRun run = search(program(EXAMPLES));

    assertThat(run.issued).filteredOn(task -> !task.needsJudge()).allMatch(t -> shown(t).isEmpty());
    List<SampleTask> judged = run.issued.stream().filter(task -> !shown(task).isEmpty()).toList();
    assertThat(judged).hasSizeGreaterThan(10);
    for (SampleTask task : judged) {
      for (GradedExample example : shown(task)) {
        String output = example.outputs().getFirst().get("intent").asText();
        assertThat(example.score()).isEqualTo(scores.get(example.id() + output));
        assertThat(example.input().fieldNames()).containsExactly("text");
        assertThat(example.outputs().getFirst().fieldNames()).containsExactly("intent");
        assertThat(example.id()).isNotEqualTo(task.exampleId());
        assertThat(example.input().get("text")).isNotEqualTo(task.input().get("text"));
      }
    }
  }

  @Test
  void itSeesAGoodAMiddlingAndABadAnswerToDifferentInputs() {
    TestRun run = search(program(EXAMPLES));

    SampleTask last =
        run.issued.stream().filter(SampleTask::needsJudge).reduce((_, next) -> next).orElseThrow();
    assertThat(shown(last)).extracting(GradedExample::score).containsExactly(1.0, 0.5, 0.0);
    Set<Document> inputs = new HashSet<>();
    shown(last).forEach(example -> inputs.add(example.input()));
    assertThat(inputs).hasSize(EXAMPLES);
  }

  @Test
  void theJudgeOfLiveOutputsSeesThemToo() {
    PhysicalPlan plan = search(program(EXAMPLES)).activePlan();

    assertThat(plan.graded().get("classify"))
        .extracting(GradedExample::score)
        .containsExactly(1.0, 0.5, 0.0);
    assertThat(plan.showsExamples()).isTrue();
  }

  @Test
  void theJudgeSeesNoneIfTheProgramKeepsExamplesOutOrAsksForNone() {
    for (Program program : List.of(program(0), program(EXAMPLES).withFewShot(false))) {
      TestRun run = search(program);

      assertThat(run.issued).isNotEmpty().allMatch(task -> shown(task).isEmpty());
      assertThat(run.plans).isNotEmpty().noneMatch(PhysicalPlan::showsExamples);
    }
  }

  @Test
  void keepingExamplesOutReplacesThePlan() {
    TestRun run = search(program(EXAMPLES));
    long before = run.activePlan().epoch();

    run.program(program(EXAMPLES).withFewShot(false)).finish();

    assertThat(run.activePlan().epoch()).isGreaterThan(before);
    assertThat(run.activePlan().showsExamples()).isFalse();
  }

  @Test
  void samplesOfAnotherNumberOfExamplesAreNotUsed() {
    TestRun run = search(program(0));
    int before = run.issued.size();

    run.program(program(EXAMPLES)).finish();

    assertThat(run.issued.size()).isGreaterThan(before);
  }
}

package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.loop.review.ReviewChooser;
import dev.abacus.optimizer.loop.state.ProgramSnapshot.SampleTotals.LiveRuns;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.Selection;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Live documents beside the plan among the examples of a search. */
class LiveExamplesTest {

  private static final int BUDGET = 60;
  private static final int LIVE = 10;

  private static TestRun searched(SampleBudget budget) {
    Program program = TestPrograms.classifying(budget);
    TestRun run =
        new TestRun(TestWorld.scattered(5), 1, TestRun.measuring(3, 6))
            .program(
                program.withSettings(
                    program.settings().withLearning(Learning.withoutAnswers(0.1, LIVE))));
    JsonNode label = JsonNodeFactory.instance.objectNode().put("intent", "other");
    return run.labelled(30, "classify", _ -> label).finishInWaves();
  }

  private static String id(int document) {
    return "live:messages-0@" + document;
  }

  private static void comeBeside(TestRun run) {
    IntStream.range(0, LIVE)
        .forEach(i ->
            run.tell(
                new LoopEvent.ExampleSet(
                    new ValidationExample(
                        id(i), "messages", TestPrograms.example(100 + i).document(), Map.of()))));
    run.finishInWaves();
  }

  private static List<SampleTask> live(TestRun run) {
    return run.issued.stream().filter(task -> task.exampleId().startsWith("live:")).toList();
  }

  @Test
  void aFinishedSearchGoesOnWithTwoSamplesMorePerDocument() {
    TestRun run = searched(new SampleBudget.Invocations(BUDGET));
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(run.status().beside()).isNull();
    List<SampleTask> before = List.copyOf(run.issued);

    comeBeside(run);

    assertThat(live(run)).isNotEmpty().allMatch(task -> task.label() == null);
    assertThat(run.issued.size() - before.size()).isBetween(1, 2 * LIVE);
    assertThat(run.status().budgetSamples()).isEqualTo(BUDGET + 2 * LIVE);
    assertThat(run.status().samplesObserved()).as("no sample is void").isEqualTo(run.issued.size());
    assertThat(Objects.requireNonNull(run.activePlan().promise()).examples())
        .as("a plan is measured on held-back examples, which are those of the start")
        .isLessThanOrEqualTo(30 / 2);
    assertThat(run.reason()).contains("live documents tell how implementations differ");
  }

  @Test
  void aBudgetInDollarsGrowsByWhatTwoSamplesCost() {
    TestRun run = searched(new SampleBudget.Dollars(0.3));
    double before = Objects.requireNonNull(run.status().budgetUsd());
    double each = run.status().spentUsd() / run.status().samplesIssued();

    run.tell(
        new LoopEvent.ExampleSet(
            new ValidationExample(
                id(0), "messages", TestPrograms.example(100).document(), Map.of())));
    run.decide();

    assertThat(before).isEqualTo(0.3);
    assertThat(Objects.requireNonNull(run.status().budgetUsd()) - before)
        .isBetween(1.5 * each, 2.5 * each);
  }

  @Test
  void aDocumentThatIsRemovedTakesItsSamplesWithItButNotWhatTheyCost() {
    TestRun run = searched(new SampleBudget.Invocations(BUDGET));
    comeBeside(run);
    LoopStatus before = run.status();
    LiveRuns beside = Objects.requireNonNull(before.beside());
    assertThat(beside.documents())
        .isEqualTo((int) live(run).stream().map(SampleTask::exampleId).distinct().count());
    assertThat(beside.spentUsd()).isPositive().isLessThan(before.spentUsd());
    String removed = live(run).getFirst().exampleId();
    int its = (int) live(run).stream().filter(task -> task.exampleId().equals(removed)).count();
    int issued = run.issued.size();

    run.tell(new LoopEvent.ExampleRemoved(removed));
    run.decide();

    int further = run.issued.size() - issued;
    assertThat(run.status().samplesObserved()).isEqualTo(before.samplesObserved() - its);
    assertThat(run.status().samplesIssued()).isEqualTo(before.samplesIssued() - its + further);
    assertThat(run.status().spentUsd()).isCloseTo(before.spentUsd(), within(1e-9));
    LiveRuns after = Objects.requireNonNull(run.status().beside());
    assertThat(after.documents()).isEqualTo(beside.documents());
    assertThat(after.spentUsd()).isCloseTo(beside.spentUsd(), within(1e-9));
    assertThat(run.status().budgetSamples()).isEqualTo(BUDGET + 2 * (LIVE - 1));
  }

  private static Set<String> askable(TestRun run) {
    return Objects.requireNonNull(run.loop().reviews())
        .choose(LIVE, 0, _ -> false, Instant.EPOCH, Instant.EPOCH.plusSeconds(1))
        .stream()
        .map(ReviewChooser.Asked::exampleId)
        .collect(Collectors.toSet());
  }

  /** The worlds of the others all give the same output, so only random documents are asked for. */
  @Test
  void aLabelOnRequestTakesThePlaceOfADocumentBesideThePlan() {
    TestRun run = searched(new SampleBudget.Invocations(BUDGET));
    comeBeside(run);
    Set<String> before = askable(run);
    assertThat(before).isNotEmpty().allMatch(id -> id.startsWith("live:"));
    String labelled = before.iterator().next();

    run.tell(
        new LoopEvent.ExampleSet(
            new ValidationExample(
                labelled.replace("live:", "stream:"),
                "messages",
                TestPrograms.example(100).document(),
                Map.of("classify", JsonNodeFactory.instance.objectNode().put("intent", "other")),
                Selection.LABEL)));
    run.finishInWaves();

    assertThat(askable(run)).doesNotContain(labelled).hasSize(before.size() - 1);
    assertThat(run.status().budgetSamples()).isEqualTo(BUDGET + 2 * LIVE);
  }
}

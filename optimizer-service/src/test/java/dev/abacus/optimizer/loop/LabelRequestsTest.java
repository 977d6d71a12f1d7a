package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.loop.review.ReviewChooser.Asked;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.Selection;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Requests for labels, and what their labels are evidence of. Two models answer: {@code m0} is
 * right about four documents in five, {@code m1} about half of them. The judge misjudges one wrong
 * answer in five and one right answer of m0 in twenty, so that its mean score of m0 is unbiased.
 */
class LabelRequestsTest {

  private static final int SEEDS = 24;
  private static final int COPIES = 60;
  private static final int LABELS = 20;
  private static final double[] RIGHT = {0.8, 0.5};
  private static final String OPERATOR = "classify";

  private static boolean isRight(long seed, String document, int model) {
    return TestWorld.unit(seed, document + " " + model) < RIGHT[model];
  }

  private static String document(String exampleId) {
    return exampleId.replaceAll(".*\\D", "");
  }

  private static Observation observe(long seed, SampleTask task) {
    int model = Integer.parseInt(task.physical().chatModels().getFirst().substring(1));
    boolean right = isRight(seed, document(task.exampleId()), model);
    boolean misjudged =
        task.label() == null
            && TestWorld.unit(seed + 1000, task.exampleId() + model) < (right ? 0.05 : 0.2);
    return Observation.of(task)
        .outcome(Observation.Outcome.KEPT)
        .outputs(
            List.of(
                task.input()
                    .with(
                        "intent",
                        JsonNodeFactory.instance.textNode(right ? "right" : "wrong " + model))))
        .quality(right != misjudged ? 1.0 : 0.0)
        .scoredBy(task.label() == null ? ScoredBy.JUDGE : ScoredBy.LABEL)
        .cost(model == 0 ? 0.002 : 0.001)
        .latency(1)
        .build();
  }

  private static TestRun run(long seed) {
    Program program = TestPrograms.classifying(new SampleBudget.Invocations(4 * COPIES));
    return new TestRun(task -> observe(seed, task), seed, TestRun.measuring(seed, 2))
        .program(
            program.withSettings(
                program.settings().withLearning(Learning.withoutAnswers(0, LABELS))));
  }

  private static void example(TestRun run, String id, boolean labelled, Selection selected) {
    run.tell(
        new LoopEvent.ExampleSet(
            new ValidationExample(
                id,
                "messages",
                Document.empty()
                    .with("text", JsonNodeFactory.instance.textNode("text " + document(id))),
                labelled
                    ? Map.of(OPERATOR, JsonNodeFactory.instance.objectNode().put("intent", "right"))
                    : Map.of(),
                selected)));
  }

  private static String copy(int number) {
    return "stream:support.messages-0@" + number;
  }

  private static TestRun copied(long seed) {
    TestRun run = run(seed);
    IntStream.range(0, COPIES).forEach(i -> example(run, copy(i), false, Selection.NONE));
    return run.finishInWaves();
  }

  private static List<Asked> ask(TestRun run, int most, Set<String> before) {
    return Objects.requireNonNull(run.loop().reviews())
        .choose(most, before.size(), before::contains, Instant.EPOCH, Instant.EPOCH.plusSeconds(1));
  }

  private static Range quality(TestRun run) {
    PhysicalPlan plan = run.activePlan();
    assertThat(plan.steps().getFirst().physical().chatModels()).containsExactly("m0");
    return Objects.requireNonNull(plan.promise()).quality();
  }

  private static boolean isBestChosen(TestRun run) {
    return run.activePlan().steps().getFirst().physical().chatModels().equals(List.of("m0"));
  }

  private static boolean contains(Range range, double truth) {
    return Objects.requireNonNull(range.low()) <= truth
        && truth <= Objects.requireNonNull(range.high());
  }

  @Test
  void threeInFourRequestsAreAboutDisagreementsAndOneIsRandom() {
    Set<String> random = new HashSet<>();
    for (long seed = 0; seed < 5; seed++) {
      TestRun run = copied(seed);
      List<Asked> asked = ask(run, LABELS, Set.of());
      assertThat(asked).hasSize(LABELS).extracting(Asked::exampleId).doesNotHaveDuplicates();
      assertThat(asked.stream().filter(each -> each.request().random())).hasSize(LABELS / 4);
      for (Asked each : asked) {
        assertThat(each.request().operator().id()).isEqualTo(OPERATOR);
        assertThat(Objects.requireNonNull(each.request().document()).toJson().toString())
            .isEqualTo("{\"text\":\"text %s\"}".formatted(document(each.exampleId())));
        if (each.request().random()) {
          random.add(each.exampleId());
        } else {
          assertThat(each.request().answers()).hasSize(2);
          assertThat(each.request().why())
              .isEqualTo("implementations disagree: 2 different answers of 2");
        }
      }
      Set<String> known = new HashSet<>(asked.stream().map(Asked::exampleId).toList());
      assertThat(ask(run, LABELS, known))
          .extracting(Asked::exampleId)
          .doesNotContainAnyElementsOf(known);
    }
    // The quarter that is drawn by hash is the same in all worlds.
    assertThat(random).hasSizeLessThanOrEqualTo(COPIES / 4 + 5);
  }

  @Test
  void labelledAndGivenExamplesAreNotAskedAbout() {
    TestRun run = run(3);
    IntStream.range(0, 20).forEach(i -> example(run, copy(i), i < 10, Selection.LABEL));
    run.finishInWaves();
    assertThat(ask(run, LABELS, Set.of()))
        .isNotEmpty()
        .noneMatch(asked -> Integer.parseInt(document(asked.exampleId())) < 10);

    TestRun given = run(3);
    IntStream.range(0, 20).forEach(i -> example(given, "e" + i, false, Selection.NONE));
    given.finishInWaves();
    assertThat(ask(given, LABELS, Set.of())).isEmpty();
  }

  @Test
  void labelsByValueKeepTheIntervalOfQualityTrueWhichTheyWouldNotIfCountedAsDrawn() {
    int counted = 0;
    int covered = 0;
    int coveredAsDrawn = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      TestRun accounted = labelled(seed, Selection.LABEL);
      TestRun drawn = labelled(seed, Selection.NONE);
      if (isBestChosen(accounted) && isBestChosen(drawn)) {
        counted++;
        covered += contains(quality(accounted), RIGHT[0]) ? 1 : 0;
        coveredAsDrawn += contains(quality(drawn), RIGHT[0]) ? 1 : 0;
      }
    }
    String figures = "%d and %d of %d".formatted(covered, coveredAsDrawn, counted);
    assertThat(counted).as(figures).isGreaterThan(8 * SEEDS / 10);
    assertThat((double) covered / counted).as(figures).isGreaterThan(0.85);
    assertThat((double) coveredAsDrawn / counted).as(figures).isLessThan(0.75);
  }

  /** A search over copies, requests, their answers, and a search with these. */
  private static TestRun labelled(long seed, Selection ifByValue) {
    TestRun run = copied(seed);
    ask(run, LABELS, Set.of())
        .forEach(each ->
            example(
                run, each.exampleId(), true, each.request().random() ? Selection.NONE : ifByValue));
    return run.set(new ControlRecord.Reoptimize(TestPrograms.NAME, "again")).finishInWaves();
  }

  /** Users correct what the active model m0 got wrong, beside forty labelled examples. */
  @Test
  void correctionsThatNobodyAskedForKeepTheIntervalOfQualityTrue() {
    for (Selection selected : Selection.values()) {
      int counted = 0;
      int covered = 0;
      for (long seed = 0; seed < SEEDS; seed++) {
        TestRun run = run(seed);
        IntStream.range(0, 40).forEach(i -> example(run, "e" + i, true, Selection.NONE));
        long of = seed;
        IntStream.range(100, 400)
            .filter(i -> !isRight(of, String.valueOf(i), 0))
            .limit(LABELS)
            .forEach(i -> example(run, copy(i), true, selected));
        run.finishInWaves();
        if (isBestChosen(run)) {
          counted++;
          covered += contains(quality(run), RIGHT[0]) ? 1 : 0;
        }
      }
      if (selected == Selection.NONE) {
        assertThat((double) covered / SEEDS).as("as drawn").isLessThan(0.5);
      } else {
        assertThat((double) covered / counted).as(selected.label()).isGreaterThan(0.85);
        assertThat(counted).isGreaterThan(8 * SEEDS / 10);
      }
    }
  }
}

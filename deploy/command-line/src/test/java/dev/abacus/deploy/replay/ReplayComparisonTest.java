package dev.abacus.deploy.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.deploy.replay.ProcessedDocuments.Processed;
import dev.abacus.deploy.replay.ReplayComparison.Change;
import dev.abacus.deploy.replay.ReplayComparison.Difference;
import dev.abacus.deploy.replay.ResultsInForce.Result;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.observation.ReplayOutcome;
import dev.abacus.schemas.observation.ReplayOutcome.Kind;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.LearnedAnswers;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplayComparisonTest {

  private static final String TEXT =
      """
      program: p
      sources: { messages: { topic: in } }
      operators:
        - map: read
          instruction: Read.
          reads: [text]
          writes: { topic: { type: string }, size: { type: number } }
        - filter: wanted
          condition: It matters.
          reads: [text]
      results: { topic: out }
      models: [gpt-4o-mini, gpt-4o]
      """;

  private static final Program PROGRAM = program(TEXT);
  private static final PhysicalPlan PLAN = plan(PROGRAM, "gpt-4o");

  private final Map<String, Result> results = new HashMap<>();
  private final Set<String> keys = new HashSet<>();
  private final List<ReplayOutcome> outcomes = new ArrayList<>();
  private int documents;

  private static Program program(String text) {
    try {
      return new ProgramParser(ModelCatalogue.builtIn()).parse(text);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static PhysicalPlan plan(Program program, String model) {
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator -> new PlanStep(operator, new ModelSelection(model)))
            .toList();
    return new PhysicalPlan(
        "p", 7, new PlanChoice(steps, new Estimate(1, 0.5, 1)), program.objective(), List.of());
  }

  private static Processed document(int number) {
    return new Processed(new RecordPosition("in", 0, number), "key-" + number, 0, 0);
  }

  /** A document with this result in force and this outcome; null for none. */
  private void add(@Nullable String before, Kind kind, @Nullable String after) throws Exception {
    Processed document = document(documents++);
    if (before != null) {
      ObjectNode output = (ObjectNode) new ObjectMapper().readTree(before);
      results.put(document.position(), new Result(List.of(output), null, 7L, 0.25));
    }
    outcomes.add(
        new ReplayOutcome(
            "r",
            document.position(),
            kind,
            kind == Kind.DROPPED ? "wanted" : null,
            null,
            after == null ? List.of() : List.of(Document.parse(after)),
            0.5,
            0.5,
            1,
            List.of()));
  }

  private ReplayComparison compare(Candidate candidate) {
    ReplayComparison comparison =
        new ReplayComparison(candidate, new ResultsInForce(results, keys), Map.of(7L, PLAN));
    for (int i = 0; i < outcomes.size(); i++) {
      comparison.add(document(i), outcomes.get(i));
    }
    return comparison;
  }

  @Test
  void resultsOfDocumentsAheadOfTheClockAreLookedForWhereTheyWereWritten() {
    long now = 1_796_080_800_000L;
    long ahead = now + 50 * 60_000;
    Processed document = new Processed(new RecordPosition("in", 0, 0), "key", 0, ahead);

    assertThat(ResultsInForce.since(PROGRAM, List.of(document))).isBetween(1L, now);
    assertThat(ResultsInForce.since(PROGRAM, List.of(document, document(1)))).isZero();
    assertThat(
            ResultsInForce.since(
                program(TEXT.replace("topic: in }", "topic: in, time: sent }")), List.of(document)))
        .isZero();
  }

  @Test
  void numbersAreComparedByValueAndAnAbsentFieldIsNull() throws Exception {
    add("{\"topic\":\"a\",\"size\":1}", Kind.RESULT, "{\"topic\":\"a\",\"size\":1.0}");
    add("{\"topic\":\"a\",\"size\":null}", Kind.RESULT, "{\"topic\":\"a\"}");
    add("{\"topic\":\"a\",\"size\":1}", Kind.RESULT, "{\"topic\":\"b\",\"size\":2}");

    ReplayComparison comparison = compare(Candidate.of(PROGRAM, PLAN));

    assertThat(comparison.documents()).isEqualTo(Map.of(Change.SAME, 2, Change.DIFFERENT, 1));
    assertThat(comparison.fields()).isEqualTo(Map.of("topic", 1, "size", 1));
    assertThat(comparison.samePlan()).isEqualTo(new ReplayComparison.SamePlan(3, 1));
    assertThat(comparison.costs()).isEqualTo(new ReplayComparison.Costs(3, 0.25, 0.5));
  }

  @Test
  void answersOfAClassifierAreNoNoiseOfTheModels() throws Exception {
    add("{\"topic\":\"a\"}", Kind.RESULT, "{\"topic\":\"b\"}");
    PhysicalPlan taught =
        PLAN.withLearned(
            7,
            Map.of(
                "wanted",
                new LearnedAnswers(
                    "q",
                    "e",
                    0.02,
                    new TrainedClassifier(
                        List.of("false", "true"),
                        TrainedClassifier.encode(new float[2][3]),
                        List.of(0.9, 0.9),
                        0.9,
                        100))),
            List.of());
    Candidate candidate = Candidate.of(PROGRAM, taught);

    assertThat(candidate.notes()).singleElement().asString().contains("no classifier answers");
    ReplayComparison comparison =
        new ReplayComparison(candidate, new ResultsInForce(results, keys), Map.of(7L, taught));
    comparison.add(document(0), outcomes.getFirst());
    assertThat(comparison.samePlan()).isEqualTo(new ReplayComparison.SamePlan(0, 0));
  }

  @Test
  void aDocumentWithoutAResultWasDroppedUnlessCompactionMayHaveRemovedIt() throws Exception {
    add(null, Kind.DROPPED, null);
    add(null, Kind.RESULT, "{\"topic\":\"a\"}");
    add("{\"topic\":\"a\"}", Kind.DROPPED, null);
    add(null, Kind.RESULT, "{\"topic\":\"a\"}");
    keys.add("key-3");

    ReplayComparison comparison = compare(Candidate.of(PROGRAM, PLAN));

    assertThat(comparison.documents())
        .isEqualTo(Map.of(Change.SAME, 1, Change.KEPT, 1, Change.DROPPED, 1, Change.UNKNOWN, 1));
    assertThat(comparison.differences())
        .extracting(Difference::key, Difference::change)
        .containsExactly(tuple("key-1", Change.KEPT), tuple("key-2", Change.DROPPED));
  }

  @Test
  void aChangedProgramKeepsImplementationsAndANewOperatorGetsAModel() {
    Program changed =
        program(
            TEXT.replace("Read.", "Read well.")
                .replace(
                    "results:",
                    "  - map: more\n    instruction: More.\n    reads: [text]\n"
                        + "    writes: { more: { type: string } }\nresults:"));

    Candidate candidate = Candidate.of(PROGRAM, PLAN, changed, ModelCatalogue.builtIn());

    assertThat(candidate.plan().steps())
        .extracting(step -> step.logical().id() + " " + step.physical().id())
        .containsExactly(
            "read model-selection(gpt-4o)",
            "wanted model-selection(gpt-4o)",
            "more model-selection(gpt-4o)");
    assertThat(candidate.plan().steps().getFirst().logical())
        .isEqualTo(changed.operators().getFirst());
    assertThat(candidate.notes()).singleElement().asString().contains("'more'");
  }

  @Test
  void otherSourcesAndOperatorsOverSeveralDocumentsAreRefused() {
    Program other = program(TEXT.replace("topic: in", "topic: other"));
    assertThatThrownBy(() -> Candidate.of(PROGRAM, PLAN, other, ModelCatalogue.builtIn()))
        .isInstanceOf(OperationFailedException.class)
        .hasMessageContaining("other sources");
    Program limited = program(TEXT.replace("results:", "  - limit: 10\nresults:"));
    assertThatThrownBy(() -> Candidate.of(limited, PLAN))
        .isInstanceOf(OperationFailedException.class)
        .hasMessageContaining("cannot be replayed one by one");
  }
}

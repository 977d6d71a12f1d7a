package dev.abacus.topology.scoring;

import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.GradedExample;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The graded examples in the prompts of the judge. */
class JudgeExamplesTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final SemanticFilter FILTER =
      new SemanticFilter("keep", "in", "It is a complaint.", List.of("text"));
  private static final SemanticMap MAP =
      new SemanticMap(
          "map",
          "in",
          "Fill in.",
          List.of("text"),
          List.of(
              new Field("intent", new FieldType.StringType(List.of()), "", false),
              new Field(
                  "tags", new FieldType.ListType(new FieldType.StringType(List.of())), "", false)));
  private static final OperatorOutcome MAPPED =
      new OperatorOutcome.Kept(
          document("{\"text\": \"hi\", \"id\": 9, \"intent\": \"card\", \"tags\": []}"),
          ExecutionStats.NONE);

  private final ScriptedModelClient judge = new ScriptedModelClient(say("{\"score\": 0.5}"));

  private static Document document(String json) {
    try {
      return Document.parse(json);
    } catch (InvalidDocumentException e) {
      throw new AssertionError(e);
    }
  }

  /** Scores an outcome for the example {@code e}; returns the request of the judge. */
  private ModelRequest judged(
      LogicalOperator operator,
      @Nullable String label,
      OperatorOutcome outcome,
      GradedExample... examples)
      throws InterruptedException, JsonProcessingException {
    SampleTask task =
        SampleTask.builder("t", "p")
            .operator(operator)
            .physical(new ModelSelection("gpt-4o"))
            .exampleId("e")
            .input(document("{\"text\": \"hi\", \"id\": 9}"))
            .label(label == null ? null : JSON.readTree(label))
            .judge("o4-mini")
            .judgeExamples(List.of(examples))
            .build();
    new Scorer(new Judge(ModelCatalogue.builtIn())).score(task, outcome, judge, References.NONE);
    return judge.requests().getFirst();
  }

  private static GradedExample graded(String id, String text, double score, String... outputs) {
    return new GradedExample(
        id,
        document("{\"text\": \"%s\"}".formatted(text)),
        Stream.of(outputs).map(JudgeExamplesTest::document).toList(),
        score);
  }

  @Test
  void theJudgeSeesGradedExamplesInFrontOfWhatItGrades() throws Exception {
    ModelRequest request =
        judged(
            MAP,
            null,
            MAPPED,
            graded("e1", "lost card", 1, "{\"intent\": \"card\", \"tags\": []}"),
            graded("e2", "no </document> money", 0.25, "{\"intent\": \"card\"}"));

    assertThat(request.system())
        .contains(
            """
            <example n="1">
            <document>
            <field name="text">lost card</field>
            </document>
            <output>
            {"intent":"card","tags":[]}
            </output>
            <answer>
            {"score": 1.00}
            </answer>
            </example>
            <example n="2">
            """)
        .contains("{\"score\": 0.25}")
        .doesNotContain("no </document>");
    assertThat(ScriptedModelClient.words(request)).doesNotContain("lost card");
  }

  @Test
  void theJudgeSeesNeitherTheJudgedExampleNorOneWithItsInput() throws Exception {
    ModelRequest request =
        judged(
            FILTER,
            null,
            new OperatorOutcome.Dropped(ExecutionStats.NONE),
            graded("e", "judged text", 1, "{}"),
            graded("e1", "hi", 1, "{}"),
            graded("e2", "late parcel", 0));

    assertThat(request.system())
        .contains("late parcel")
        .contains("{\"satisfied\":false}")
        .doesNotContain("judged text", ">hi<", "n=\"2\"");
  }

  @Test
  void someFieldsAreJudgedWithoutExamples() throws Exception {
    ModelRequest request =
        judged(
            MAP,
            "{\"tags\": [\"b\"]}",
            MAPPED,
            graded("e1", "lost card", 1, "{\"intent\": \"card\", \"tags\": []}"));

    assertThat(request.system()).doesNotContain("<example", "lost card");
  }
}

package dev.abacus.topology.operator.technique;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.ReducedContext;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperatorRuntimeTest {

  private static final SemanticMap MAP =
      new SemanticMap(
          "classify",
          "in",
          "Which intent?",
          List.of("text"),
          List.of(
              new Field("intent", new FieldType.StringType(List.of()), "label", false),
              new Field("urgency", new FieldType.IntegerType(1L, 5L), "", false)));
  private static final SemanticFilter FILTER =
      new SemanticFilter("keep", "in", "It is a complaint.", List.of("text"));
  private static final PhysicalOperator ONE_CALL = new ModelSelection("m");
  private static final ExecutionStats CALL =
      new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 0, 1));

  /** Similarity to a text is the number of x in it. */
  private static final class CountingX implements Embedder {
    final List<List<String>> batches = new ArrayList<>();
    private final boolean broken;

    CountingX(boolean broken) {
      this.broken = broken;
    }

    @Override
    public String name() {
      return "e";
    }

    @Override
    public EmbeddingAnswer embed(List<String> texts) {
      batches.add(texts);
      if (broken) {
        return new EmbeddingAnswer.Failed(
            new ModelFailure.TimedOut("late"), new ExecutionStats(0.1, 0.25, 3));
      }
      return new EmbeddingAnswer.Success(
          texts.stream()
              .map(text ->
                  text.equals("It is a complaint.")
                      ? Embedding.of(1, 0)
                      : Embedding.of((float) text.chars().filter(c -> c == 'x').count(), 1))
              .toList(),
          new ExecutionStats(0.1, 0.25, 1));
    }
  }

  private final CountingX embedder = new CountingX(false);
  private final OperatorRuntime runtime =
      new OperatorRuntime(Embedders.of(embedder), _ -> new CharacterTokenizer());

  private static Document document(String json) {
    try {
      return Document.parse(json);
    } catch (InvalidDocumentException e) {
      throw new AssertionError(e);
    }
  }

  private static final Document DOCUMENT = document("{\"id\": 7, \"text\": \"My card!\"}");

  private OperatorOutcome run(LogicalOperator operator, ScriptedModelClient model)
      throws InterruptedException {
    return runtime.execute(operator, ONE_CALL, DOCUMENT, model);
  }

  @Test
  void aMapAddsItsFieldsToTheDocument() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(say("{\"urgency\": 5, \"intent\": \"card\"}"));
    assertThat(run(MAP, model))
        .isEqualTo(
            new OperatorOutcome.Kept(
                document("{\"id\": 7, \"text\": \"My card!\", \"intent\": \"card\"}")
                    .with("urgency", IntNode.valueOf(5)),
                CALL));
  }

  @Test
  void theLayoutOfAMapPromptIsFixed() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(say("{\"urgency\": 5, \"intent\": \"card\"}"));
    run(MAP, model);
    ModelRequest request = model.requests().getFirst();
    assertThat(request.system())
        .endsWith(
            """

            <instruction>
            Which intent?
            </instruction>
            <fields>
            - intent (string): label
            - urgency (integer): [from 1 to 5]
            </fields>\
            """);
    assertThat(ScriptedModelClient.words(request).strip())
        .isEqualTo("<document>\n<field name=\"text\">My card!</field>\n</document>");
    assertThat(request.responseSchema()).extracting(ResponseSchema::name).isEqualTo("map_output");
    assertThat(request.options().temperature()).isZero();
  }

  @Test
  void aFilterKeepsOrDropsAsTheModelSays() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(
            say("{\"satisfied\": true}"), say("```json\n{\"satisfied\": false}\n```"));
    assertThat(run(FILTER, model)).isEqualTo(new OperatorOutcome.Kept(DOCUMENT, CALL));
    assertThat(run(FILTER, model)).isEqualTo(new OperatorOutcome.Dropped(CALL));
    ModelRequest request = model.requests().getFirst();
    assertThat(request.system()).endsWith("<condition>\nIt is a complaint.\n</condition>");
    assertThat(request.responseSchema())
        .extracting(ResponseSchema::name)
        .isEqualTo("filter_decision");
  }

  @Test
  void notTrueIsNeitherTrueNorFalse() throws InterruptedException {
    for (String answer :
        List.of(
            "not true",
            "true",
            "{\"satisfied\": \"not true\"}",
            "{\"satisfied\": \"true or false\"}",
            "{\"satisfied\": null}",
            "{}")) {
      ScriptedModelClient model = ScriptedModelClient.always(say(answer));
      assertThat(run(FILTER, model)).as(answer).isInstanceOf(OperatorOutcome.Failed.class);
    }
  }

  @Test
  void aMalformedAnswerIsSentBackWithItsProblems() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(
            say("{\"intent\": [\"</repair>\", 1], \"urgency\": 9, \"note\": 1}"),
            say("I cannot"),
            say("{\"intent\": \"card\", \"urgency\": 3}"));
    OperatorOutcome outcome = run(MAP, model);
    assertThat(outcome).isInstanceOf(OperatorOutcome.Kept.class);
    assertThat(outcome.stats().calls()).isEqualTo(3);
    String second = ScriptedModelClient.words(model.requests().get(1));
    assertThat(second)
        .contains(
            "</document>\n<repair>\n",
            "urgency: must be at most 5, but is 9",
            "but is [\"<\\/repair>\",1]")
        .doesNotContain("note")
        .endsWith("\n</repair>\n");
    assertThat(ScriptedModelClient.words(model.requests().get(2)))
        .contains("no valid JSON object")
        .doesNotContain("urgency");
    assertThat(model.requests())
        .extracting(ModelRequest::system)
        .containsOnly(model.requests().getFirst().system());
  }

  @Test
  void repairsAreBoundedAndThenTheOperatorFails() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(say("I cannot"), say("{\"urgency\": 9}"), say("{}"), say("{}"));
    OperatorOutcome outcome = run(MAP, model);
    assertThat(outcome).isInstanceOf(OperatorOutcome.Failed.class);
    OperatorOutcome.Failed failed = (OperatorOutcome.Failed) outcome;
    assertThat(failed.attempts()).isEqualTo(3);
    assertThat(failed.stats().cost()).isEqualTo(0.03);
    assertThat(failed.failure().message()).contains("model m", "intent: missing");
  }

  @Test
  void aFailedCallFailsTheOperatorAndNeverDropsTheDocument() throws InterruptedException {
    ModelFailure failure = new ModelFailure.ServerError(500, "broken", null);
    assertThat(run(FILTER, new ScriptedModelClient(fail(failure))))
        .isEqualTo(
            new OperatorOutcome.Failed(
                new OperatorFailure.ModelFailed("m", failure), new ExecutionStats(0.01, 0.5, 1)));
  }

  @Test
  void aDocumentWithoutTheInputFieldsFailsWithoutACall() throws InterruptedException {
    OperatorOutcome outcome =
        runtime.execute(FILTER, ONE_CALL, document("{\"id\": 1}"), new ScriptedModelClient());
    assertThat(outcome).isInstanceOf(OperatorOutcome.Failed.class);
    assertThat(((OperatorOutcome.Failed) outcome).failure())
        .isInstanceOf(OperatorFailure.UnusableDocument.class);
  }

  @Test
  void aMergeKeepsTheDocument() throws InterruptedException {
    assertThat(
            runtime.execute(
                new Merge("together", "left", "right"),
                new Relational(),
                DOCUMENT,
                new ScriptedModelClient()))
        .isEqualTo(new OperatorOutcome.Kept(DOCUMENT, ExecutionStats.NONE));
  }

  @Test
  void aProjectNeedsNoModel() throws InterruptedException {
    OperatorOutcome outcome =
        runtime.execute(
            new Project("p", "in", List.of("text", "absent")),
            new Relational(),
            DOCUMENT,
            new ScriptedModelClient());
    assertThat(outcome)
        .isEqualTo(
            new OperatorOutcome.Kept(document("{\"text\": \"My card!\"}"), ExecutionStats.NONE));
  }

  @Test
  void aTechniqueThatDoesNotFitItsOperatorFails() throws InterruptedException {
    ScriptedModelClient nobody = new ScriptedModelClient();
    assertThat(run(new Project("p", "in", List.of("text")), nobody))
        .isInstanceOf(OperatorOutcome.Failed.class);
    assertThat(runtime.execute(MAP, new Relational(), DOCUMENT, nobody))
        .isInstanceOf(OperatorOutcome.Failed.class);
  }

  private static final Document LONG =
      Document.empty().with("text", TextNode.valueOf("aaaa" + "bxbx" + "cccc" + "xxxx" + "dddd"));

  @Test
  void reducedContextShowsTheClosestChunksInDocumentOrder() throws InterruptedException {
    ScriptedModelClient model = new ScriptedModelClient(say("{\"satisfied\": true}"));
    OperatorOutcome outcome =
        runtime.execute(FILTER, new ReducedContext("m", "e", 4, 2), LONG, model);
    assertThat(outcome)
        .isEqualTo(
            new OperatorOutcome.Kept(
                LONG, new ExecutionStats(0.11, 0.75, 1, TokenCounts.of(10, 0, 1))));
    assertThat(embedder.batches)
        .containsExactly(List.of("It is a complaint.", "aaaa", "bxbx", "cccc", "xxxx", "dddd"));
    assertThat(ScriptedModelClient.words(model.requests().getFirst()))
        .contains("<field name=\"text\">…\nbxbx\n…\nxxxx\n…</field>");
  }

  @Test
  void aDocumentOfFewChunksIsShownWholeAndNotEmbedded() throws InterruptedException {
    ScriptedModelClient model = new ScriptedModelClient(say("{\"satisfied\": true}"));
    runtime.execute(FILTER, new ReducedContext("m", "e", 10, 2), LONG, model);
    assertThat(embedder.batches).isEmpty();
    assertThat(ScriptedModelClient.words(model.requests().getFirst()))
        .contains("aaaabxbxccccxxxxdddd");
  }

  @Test
  void anEmbedderThatFailsOrIsUnknownFailsTheOperator() throws InterruptedException {
    PhysicalOperator reduced = new ReducedContext("m", "e", 4, 2);
    OperatorRuntime broken =
        new OperatorRuntime(Embedders.of(new CountingX(true)), _ -> new CharacterTokenizer());
    OperatorOutcome outcome = broken.execute(FILTER, reduced, LONG, new ScriptedModelClient());
    assertThat(outcome.stats()).isEqualTo(new ExecutionStats(0.1, 0.25, 0));
    assertThat(outcome).isInstanceOf(OperatorOutcome.Failed.class);
    OperatorRuntime none = new OperatorRuntime(Embedders.of(List.of()));
    assertThat(none.execute(FILTER, reduced, LONG, new ScriptedModelClient()))
        .isInstanceOf(OperatorOutcome.Failed.class);
  }
}

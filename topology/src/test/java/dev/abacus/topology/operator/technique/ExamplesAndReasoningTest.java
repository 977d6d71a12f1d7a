package dev.abacus.topology.operator.technique;

import static dev.abacus.topology.model.ScriptedModelClient.say;
import static dev.abacus.topology.model.ScriptedModelClient.words;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.RequestHash;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.model.embedding.CachingEmbedder;
import dev.abacus.topology.model.embedding.EmbeddingCache;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.reference.WordEmbedder;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Solved examples in prompts, and reasoning before the answer. */
class ExamplesAndReasoningTest {

  private static final SemanticMap MAP =
      new SemanticMap(
          "classify",
          "in",
          "Which intent?",
          List.of("text"),
          List.of(
              new Field(
                  "intent", new FieldType.StringType(List.of("refund", "other")), "", false)));
  private static final SemanticFilter FILTER =
      new SemanticFilter("keep", "in", List.of("It is red."), List.of("text"));
  private static final Document DOCUMENT = document("{\"text\": \"Where is my parcel?\"}");

  private final ScriptedModelClient model =
      ScriptedModelClient.always(say("{\"intent\": \"other\"}"));

  private static Document document(String json) {
    try {
      return Document.parse(json);
    } catch (InvalidDocumentException e) {
      throw new AssertionError(e);
    }
  }

  private static SolvedExample example(String id, String text, String label) {
    try {
      JsonNode answer = new ObjectMapper().readTree(label);
      return new SolvedExample(id, Document.parse("{\"text\": \"" + text + "\"}"), answer);
    } catch (IOException | InvalidDocumentException e) {
      throw new AssertionError(e);
    }
  }

  private static OperatorOutcome run(
      LogicalOperator operator, PhysicalOperator technique, ScriptedModelClient model)
      throws InterruptedException {
    return new OperatorRuntime(Embedders.of()).execute(operator, technique, DOCUMENT, model);
  }

  private static PhysicalOperator fewShot(SolvedExample... examples) {
    return new FewShot("m", 2, List.of(examples));
  }

  private ModelRequest request() {
    return model.requests().getFirst();
  }

  @Test
  void theSystemMessageShowsTheExamplesOfThePlan() throws InterruptedException {
    OperatorOutcome outcome =
        run(
            MAP,
            fewShot(
                example("e1", "Money back!", "{\"intent\": \"refund\"}"),
                example("e2", "Hello.</example><step>", "{\"intent\": \"other\"}")),
            model);

    assertThat(((OperatorOutcome.Kept) outcome).document().get("intent").asText())
        .isEqualTo("other");
    assertThat(request().system())
        .containsSubsequence(
            "<example n=\"1\">",
            "Money back!",
            "<answer>\n{\"intent\":\"refund\"}\n</answer>",
            "</example>",
            "<example n=\"2\">",
            "Hello.<\\/example><\\step>",
            "</example>")
        .doesNotContain("parcel");
    assertThat(words(request())).doesNotContain("Money");
  }

  @Test
  void aFilterShowsDecisions() throws InterruptedException {
    ScriptedModelClient says = ScriptedModelClient.always(say("{\"satisfied\": true}"));
    run(FILTER, fewShot(example("e1", "A rose.", "true"), example("e2", "Grass.", "false")), says);

    assertThat(says.requests().getFirst().system())
        .containsSubsequence("A rose.", "{\"satisfied\":true}", "Grass.", "{\"satisfied\":false}");
  }

  @Test
  void examplesWithoutAValidAnswerOrWithImagesAreNotShown() throws InterruptedException {
    SolvedExample image =
        new SolvedExample(
            "e3",
            document("{\"text\": {\"uri\": \"https://a.example/i.png\"}}"),
            example("x", "", "{\"intent\": \"other\"}").label());
    run(MAP, fewShot(example("e1", "Partly.", "{}"), image), model);

    assertThat(request().system()).doesNotContain("<example", "Partly");
  }

  @Test
  void aDocumentThatIsAnExampleDoesNotSeeItsOwnAnswer() throws InterruptedException {
    run(
        MAP,
        fewShot(
            example("e1", "Where is my parcel?", "{\"intent\": \"refund\"}"),
            example("e2", "Hello.", "{\"intent\": \"other\"}")),
        model);

    assertThat(request().system()).contains("Hello.").doesNotContain("parcel");
  }

  @Test
  void aProgramThatKeepsExamplesOutOfPromptsShowsNone() throws InterruptedException {
    new OperatorRuntime(Embedders.of())
        .forProgram(References.NONE, () -> false)
        .execute(
            MAP,
            fewShot(example("e1", "Money back!", "{\"intent\": \"refund\"}")),
            DOCUMENT,
            model);

    assertThat(request().system()).doesNotContain("<example", "Money");
  }

  private static final PhysicalOperator SIMILAR =
      new FewShot(
          "m",
          1,
          "words",
          List.of(
              example("e1", "Money back!", "{\"intent\": \"refund\"}"),
              example("e2", "My parcel is lost.", "{\"intent\": \"other\"}"),
              example("e3", "Where is my parcel?", "{\"intent\": \"refund\"}")));

  @Test
  void theExamplesMostSimilarToTheDocumentAreInTheUserMessage() throws InterruptedException {
    OperatorRuntime runtime = new OperatorRuntime(Embedders.of(new WordEmbedder("words", 64)));
    runtime.execute(MAP, SIMILAR, DOCUMENT, model);

    assertThat(words(request()))
        .containsSubsequence(
            "<example n=\"1\">",
            "My parcel is lost.",
            "{\"intent\":\"other\"}",
            "</example>",
            "Where is my parcel?")
        .doesNotContain("Money", "refund");
    assertThat(request().system())
        .as("all documents share it, so that it may count as cached")
        .isEqualTo(Objects.requireNonNull(OperatorPrompt.of(MAP)).system());
  }

  @Test
  void anotherProcessChoosesTheSameSimilarExamples() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      new OperatorRuntime(Embedders.of(new WordEmbedder("words", 64)))
          .execute(MAP, SIMILAR, DOCUMENT, model);
    }

    assertThat(model.requests())
        .extracting(RequestHash::of)
        .as("so that a repeated call finds its receipt")
        .hasSize(3)
        .containsOnly(RequestHash.of(request()));
  }

  @Test
  void similarExamplesAreEmbeddedOnceAndNoCostOfADocument() throws InterruptedException {
    WordEmbedder embedder = new WordEmbedder("words", 64);
    OperatorRuntime runtime =
        new OperatorRuntime(
            Embedders.of(new CachingEmbedder(embedder, new EmbeddingCache(1 << 20))));
    OperatorOutcome first = runtime.execute(MAP, SIMILAR, document("{\"text\": \"A\"}"), model);
    OperatorOutcome second = runtime.execute(MAP, SIMILAR, document("{\"text\": \"B\"}"), model);

    assertThat(embedder.texts()).as("two documents, three examples").isEqualTo(5);
    assertThat(first.stats().cost()).isEqualTo(second.stats().cost());
    assertThat(first.stats().paid()).isGreaterThan(first.stats().cost());
  }

  @Test
  void withoutItsEmbedderAPlanWithSimilarExamplesIsUnusable() throws InterruptedException {
    OperatorOutcome outcome = run(MAP, SIMILAR, model);

    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .contains("there is no embedder 'words'");
  }

  @Test
  void aPlanWithoutItsExamplesIsUnusable() throws InterruptedException {
    OperatorOutcome outcome = run(MAP, new FewShot("m", 2, null), model);

    assertThat(outcome).isInstanceOf(OperatorOutcome.Failed.class);
    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .contains("few-shot(m,k=2) of 'classify' has no examples");
  }

  @Test
  void reasoningInStepsIsAskedForAndIsNoPartOfTheOutput() throws InterruptedException {
    ScriptedModelClient says =
        ScriptedModelClient.always(
            say("{\"reasoning\": \"It asks for a parcel.\", \"intent\": \"other\"}"));
    OperatorOutcome outcome = run(MAP, new ModelSelection("m", Reasoning.STEPS), says);

    ModelRequest request = says.requests().getFirst();
    assertThat(Objects.requireNonNull(request.responseSchema()).schema().at("/required"))
        .extracting(JsonNode::asText)
        .containsExactly("reasoning", "intent");
    assertThat(request.system()).contains("begins with one more field, \"reasoning\"");
    assertThat(request.options().reasoningEffort()).isNull();
    assertThat(((OperatorOutcome.Kept) outcome).document().fieldNames())
        .containsExactly("text", "intent");
  }

  @Test
  void hiddenReasoningSetsTheEffortOfTheRequest() throws InterruptedException {
    run(MAP, new ModelSelection("m", Reasoning.HIGH), model);
    run(MAP, new ModelSelection("m"), model);

    assertThat(model.requests().get(0).options().reasoningEffort()).isEqualTo("high");
    assertThat(model.requests().get(1).options().reasoningEffort()).isNull();
    assertThat(model.requests().get(0).system()).isEqualTo(model.requests().get(1).system());
  }
}

package dev.abacus.topology.operator.join;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ChoiceResolution;
import dev.abacus.schemas.plan.PairwiseResolution;
import dev.abacus.schemas.plan.PhysicalOperator.Resolution;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.reference.EmbeddedItem;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.WordEmbedder;
import dev.abacus.topology.reference.index.ExactIndex;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The candidates for "red round apple", the most similar first: apple, cherry. */
class ResolutionTest {

  private static final int DIMENSIONS = 64;
  private static final EntityResolution RESOLUTION =
      new EntityResolution("r", "in", "fruit", "They are the same.", List.of("text"), "fruit");
  private static final Resolution PAIRS = new PairwiseResolution("m", "words", 2);
  private static final Resolution CHOICE = new ChoiceResolution("m", "words", 2);

  private final ReferenceCollection fruit =
      new ReferenceCollection("fruit", "name", ExactIndex::new);

  static Stream<Resolution> techniques() {
    return Stream.of(PAIRS, CHOICE);
  }

  private void items() throws Exception {
    item("apple", "red green round apple");
    item("banana", "yellow long banana");
    item("cherry", "red small round cherry");
  }

  private void item(String name, String text) throws Exception {
    String json = "{\"name\": \"%s\", \"text\": \"%s\"}".formatted(name, text);
    fruit.put(
        name,
        new EmbeddedItem(
            "h",
            Document.parse(json).toBytes(),
            Map.of("words", WordEmbedder.of(text, DIMENSIONS).toArray()),
            Map.of()));
  }

  private OperatorOutcome run(Resolution technique, String document, ScriptedModelClient model)
      throws Exception {
    return new OperatorRuntime(Embedders.of(new WordEmbedder("words", DIMENSIONS)))
        .forProgram(name -> name.equals("fruit") ? fruit : null)
        .execute(RESOLUTION, technique, Document.parse(document), model);
  }

  private JsonNode found(Resolution technique, ScriptedModelClient model) throws Exception {
    OperatorOutcome outcome = run(technique, "{\"text\": \"red round apple\"}", model);
    return ((OperatorOutcome.Kept) outcome).document().get("fruit");
  }

  private static ScriptedModelClient chooses(int number) {
    return new ScriptedModelClient(say("{\"item\": " + number + "}"));
  }

  @Test
  void aChoiceAmongTheMostSimilarItemsIsOneCall() throws Exception {
    items();
    ScriptedModelClient model = chooses(2);
    assertThat(found(CHOICE, model).toString())
        .isEqualTo("{\"name\":\"cherry\",\"text\":\"red small round cherry\"}");
    assertThat(ScriptedModelClient.words(model.requests().getFirst()))
        .contains("<item n=\"1\">\n{\"name\":\"apple\"")
        .doesNotContain("banana");
    assertThat(found(CHOICE, chooses(0)).isNull()).isTrue();
  }

  @Test
  void ofSeveralItemsThatAreTheSameTheMostSimilarOneCounts() throws Exception {
    items();
    assertThat(found(PAIRS, ScriptedModelClient.always(say("{\"satisfied\": true}"))).path("name"))
        .hasToString("\"apple\"");
    assertThat(found(PAIRS, ScriptedModelClient.always(say("{\"satisfied\": false}"))).isNull())
        .isTrue();
  }

  @Test
  void anItemThatIsNoCandidateIsAskedAboutAgainAndThenAFailure() throws Exception {
    items();
    ScriptedModelClient mended =
        new ScriptedModelClient(say("{\"item\": 3}"), say("{\"item\": 2}"));
    assertThat(found(CHOICE, mended).path("name")).hasToString("\"cherry\"");
    OperatorOutcome outcome =
        run(
            CHOICE,
            "{\"text\": \"red round apple\"}",
            ScriptedModelClient.always(say("{\"item\": 3}")));
    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .contains("item: must be at most 2, but is 3");
  }

  @Test
  void ofCandidatesThatAreShownInPartsTheMostSimilarOneCounts() throws Exception {
    items();
    ScriptedModelClient model =
        new ScriptedModelClient(
            fail(new ModelFailure.ContextTooLong("too long")),
            say("{\"item\": 1}"),
            say("{\"item\": 1}"));
    assertThat(found(CHOICE, model).path("name")).hasToString("\"apple\"");
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void anEmptyReferenceHasNoMatchAndNeedsNoCall(Resolution technique) throws Exception {
    assertThat(found(technique, new ScriptedModelClient()).isNull()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void aDocumentWithoutAMentionIsUnusable(Resolution technique) throws Exception {
    items();
    OperatorOutcome outcome = run(technique, "{\"text\": \" \"}", new ScriptedModelClient());
    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .isEqualTo("the document mentions nothing in text");
  }
}

package dev.abacus.topology.operator.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.reference.EmbeddedItem;
import dev.abacus.topology.reference.WordEmbedder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Joins with a reference, by questions about pairs and by embeddings. */
class ReferenceJoinTest extends FruitReference {

  @Test
  void nestedLoopsAskAboutEveryPair() throws Exception {
    ScriptedModelClient client = wanting("round");
    OperatorOutcome outcome =
        operators.execute(
            join(JoinKind.INNER, false),
            new NestedLoopsJoin("m"),
            document("{\"wish\": \"round things\", \"secret\": \"s\"}"),
            client);

    assertThat(((OperatorOutcome.Kept) outcome).documents())
        .extracting(output -> output.get("item").path("name").asText())
        .containsExactly("apple", "cherry");
    assertThat(client.requests()).hasSize(3);
    assertThat(client.requests())
        .allSatisfy(request -> {
          assertThat(request.system()).contains("The document wants it.");
          assertThat(ScriptedModelClient.words(request))
              .contains("round things")
              .doesNotContain("secret");
        });
    assertThat(outcome.stats().calls()).isEqualTo(3);
    assertThat(outcome.stats().cost()).isCloseTo(0.03, within(1e-9));
    assertThat(outcome.stats().latency()).isEqualTo(0.5);
  }

  @Test
  void imagesOfBothSidesAreContentOfThePrompt() throws Exception {
    fruit.put(
        "apple",
        new EmbeddedItem(
            "h",
            document("{\"name\": \"apple\", \"photo\": {\"uri\": \"https://x/a.png\"}}").toBytes(),
            Map.of(),
            Map.of()));
    fruit.remove("banana");
    fruit.remove("cherry");
    ScriptedModelClient client = wanting("-");
    operators.execute(
        join(JoinKind.LEFT, false),
        new NestedLoopsJoin("m"),
        document("{\"wish\": {\"uri\": \"https://x/wish.png\"}}"),
        client);

    assertThat(client.requests().getFirst().content())
        .contains(
            new Content.Attachment(Media.Reference.of("https://x/wish.png")),
            new Content.Attachment(Media.Reference.of("https://x/a.png")));
    assertThat(ScriptedModelClient.words(client.requests().getFirst()))
        .contains("(image 1)")
        .contains("(image 2)");
  }

  @Test
  void matchesMayBeCollected() throws Exception {
    OperatorOutcome outcome =
        operators.execute(
            join(JoinKind.INNER, true),
            new NestedLoopsJoin("m"),
            document("{\"wish\": \"round\"}"),
            wanting("round"));

    assertThat(names(((OperatorOutcome.Kept) outcome).document().get("item")))
        .containsExactly("apple", "cherry");
  }

  @Test
  void onlyALeftJoinKeepsADocumentWithoutAMatch() throws Exception {
    Document document = document("{\"wish\": \"nothing\"}");
    NestedLoopsJoin technique = new NestedLoopsJoin("m");

    assertThat(operators.execute(join(JoinKind.INNER, false), technique, document, wanting("-")))
        .extracting(outcome -> ((OperatorOutcome.Kept) outcome).documents())
        .isEqualTo(List.of());
    assertThat(operators.execute(join(JoinKind.LEFT, false), technique, document, wanting("-")))
        .extracting(outcome -> ((OperatorOutcome.Kept) outcome).documents())
        .isEqualTo(List.of(document));
    assertThat(operators.execute(join(JoinKind.LEFT, true), technique, document, wanting("-")))
        .extracting(outcome -> ((OperatorOutcome.Kept) outcome).document().get("item"))
        .isEqualTo(JsonNodeFactory.instance.arrayNode());
  }

  @Test
  void aPairWithoutAnswerFailsTheDocument() throws Exception {
    OperatorOutcome outcome =
        operators.execute(
            join(JoinKind.INNER, false),
            new NestedLoopsJoin("m"),
            document("{\"wish\": \"round\"}"),
            ScriptedModelClient.always(
                ScriptedModelClient.fail(new ModelFailure.TimedOut("too slow"))));

    assertThat(((OperatorOutcome.Failed) outcome).failure().message()).contains("too slow");
    assertThat(((OperatorOutcome.Failed) outcome).failure())
        .isInstanceOf(OperatorFailure.ModelFailed.class);
  }

  @Test
  void embeddingJoinAsksAboutTheUncertainBandOnly() throws Exception {
    Document document = document("{\"wish\": \"red small round cherry\"}");
    double apple = similarity("red green round apple");
    ScriptedModelClient client = wanting("apple");

    OperatorOutcome outcome =
        operators.execute(
            join(JoinKind.INNER, false),
            new EmbeddingJoin("m", "words", apple - 0.01, apple + 0.01),
            document,
            client);

    assertThat(((OperatorOutcome.Kept) outcome).documents())
        .extracting(output -> output.get("item").path("name").asText())
        .containsExactly("apple", "cherry");
    assertThat(client.requests())
        .singleElement()
        .satisfies(request -> assertThat(secondDocument(request)).contains("apple"));
  }

  private static Evidence.Pairs evidence(OperatorOutcome outcome) {
    Evidence evidence = ((OperatorOutcome.Kept) outcome).evidence();
    return (Evidence.Pairs) Objects.requireNonNull(evidence);
  }

  private static double similarity(String text) {
    return WordEmbedder.of(text, DIMENSIONS)
        .cosine(WordEmbedder.of("red small round cherry", DIMENSIONS));
  }

  @Test
  void embeddingJoinWithoutThresholdsAsksAboutAllPairsAndGivesEvidence() throws Exception {
    ScriptedModelClient client = wanting("cherry");
    OperatorOutcome outcome =
        operators.execute(
            join(JoinKind.INNER, false),
            new EmbeddingJoin("m", "words", null, null),
            document("{\"wish\": \"red small round cherry\"}"),
            client);

    assertThat(client.requests()).hasSize(3);
    Evidence.Pairs evidence = evidence(outcome);
    assertThat(evidence.pairs()).hasSize(3).noneMatch(Evidence.Pair::labelled);
    assertThat(evidence.pairs().stream().filter(Evidence.Pair::match))
        .singleElement()
        .satisfies(pair -> assertThat(pair.similarity()).isCloseTo(1, within(1e-5)));
  }

  @Test
  void aSampleUsesASubsetAndEstimatesTheWholeReference() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      item("item-" + i, "word" + i);
    }
    JsonNode label = JsonNodeFactory.instance.arrayNode().add("cherry").add("apple");
    ScriptedModelClient client = wanting("round");
    Document document = document("{\"wish\": \"red small round cherry\"}");
    OperatorOutcome outcome =
        operators
            .forSample(join(JoinKind.INNER, false), document, label, "example-1")
            .operators()
            .execute(
                join(JoinKind.INNER, false),
                new EmbeddingJoin("m", "words", null, null),
                document,
                client);

    assertThat(client.requests()).hasSize(SampledReferences.PAIRS);
    assertThat(((OperatorOutcome.Kept) outcome).documents()).hasSize(2);
    assertThat(outcome.stats().cost()).isCloseTo(0.01 * 1_003 + 0.001, within(1e-6));
    assertThat(outcome.stats().paid())
        .isCloseTo(0.01 * SampledReferences.PAIRS + 0.001, within(1e-6));
    assertThat(outcome.stats().latency()).isCloseTo(0.5 * 1_003 / 16 + 0.01, within(1e-6));
    Evidence.Pairs evidence = evidence(outcome);
    assertThat(evidence.pairs()).hasSize(SampledReferences.PAIRS).allMatch(Evidence.Pair::labelled);
    assertThat(evidence.pairs().stream().filter(Evidence.Pair::match)).hasSize(2);
  }

  @Test
  void labelledPairsAreEvidenceWithoutACall() throws Exception {
    for (int i = 0; i < 100; i++) {
      item("item-" + i, "word" + i);
    }
    JsonNode label = JsonNodeFactory.instance.arrayNode().add("cherry").add("apple");
    OperatorOutcome taught =
        operators
            .forEvidence(label, "example-1")
            .collectEvidence(
                join(JoinKind.INNER, false),
                new EmbeddingJoin("m", "words", null, null),
                document("{\"wish\": \"red small round cherry\"}"),
                new ScriptedModelClient());

    assertThat(taught.stats().cost()).isEqualTo(0.001);
    assertThat(taught.stats().calls()).isZero();
    Evidence.Pairs evidence = (Evidence.Pairs) Objects.requireNonNull(taught.evidence());
    assertThat(evidence.pairs()).hasSize(103).allMatch(Evidence.Pair::labelled);
    assertThat(evidence.pairs().stream().filter(Evidence.Pair::match)).hasSize(2);
    assertThat(evidence.seconds()).isEqualTo(0.01);
  }

  @Test
  void implementationsSeeTheSamePairsOfAnExample() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      item("item-" + i, "word" + i);
    }
    assertThat(pairs("a", new NestedLoopsJoin("m")))
        .isEqualTo(pairs("a", new EmbeddingJoin("n", "words", null, null)))
        .isNotEqualTo(pairs("b", new NestedLoopsJoin("m")));
  }

  private List<String> pairs(String example, dev.abacus.schemas.plan.PhysicalOperator technique)
      throws Exception {
    ScriptedModelClient client = wanting("-");
    Document document = document("{\"wish\": \"w\"}");
    operators
        .forSample(join(JoinKind.LEFT, false), document, null, example)
        .operators()
        .execute(join(JoinKind.LEFT, false), technique, document, client);
    return client.requests().stream().map(FruitReference::secondDocument).sorted().toList();
  }

  @Test
  void anOperatorWithoutItsReferenceFails() throws Exception {
    OperatorOutcome outcome =
        new OperatorRuntime(Embedders.of())
            .execute(
                join(JoinKind.INNER, false),
                new NestedLoopsJoin("m"),
                document("{\"wish\": \"w\"}"),
                wanting("-"));

    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .contains("no reference 'fruit'");
  }
}

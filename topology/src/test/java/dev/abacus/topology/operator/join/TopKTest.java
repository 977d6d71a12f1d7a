package dev.abacus.topology.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.TopKSearch;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.reference.WordEmbedder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The most similar items of a reference. */
class TopKTest extends FruitReference {

  private OperatorOutcome topK(String json, List<String> query, int k) throws Exception {
    return operators.execute(
        new TopK("find", "in", "fruit", query, null, "found"),
        new TopKSearch("words", k),
        document(json),
        wanting("-"));
  }

  @Test
  void topKReturnsTheMostSimilarItemsBestFirst() throws Exception {
    OperatorOutcome outcome = topK("{\"wish\": \"small red round\"}", List.of("wish"), 2);

    JsonNode found = ((OperatorOutcome.Kept) outcome).document().get("found");
    assertThat(names(found)).containsExactly("cherry", "apple");
    assertThat(found.get(0).path("text").asText()).isEqualTo("red small round cherry");
    assertThat(outcome.stats().cost()).isEqualTo(0.001);
  }

  @Test
  void topKMergesTheResultsOfSeveralTexts() throws Exception {
    OperatorOutcome outcome =
        topK("{\"wishes\": [\"yellow long\", \"cherry\", \"\"]}", List.of("wishes", "no"), 2);

    assertThat(names(((OperatorOutcome.Kept) outcome).document().get("found")))
        .containsExactly("banana", "cherry");
  }

  @Test
  void topKOfAnEmptyListFindsNothing() throws Exception {
    OperatorOutcome outcome = topK("{\"wishes\": []}", List.of("wishes"), 2);

    assertThat(((OperatorOutcome.Kept) outcome).document().get("found")).isEmpty();
  }

  @Test
  void topKWithoutAQueryFails() throws Exception {
    OperatorOutcome outcome = topK("{\"wish\": \" \"}", List.of("wish"), 2);

    assertThat(((OperatorOutcome.Failed) outcome).failure())
        .isInstanceOf(OperatorFailure.UnusableDocument.class);
  }

  @Test
  void topKByAnImageFailsIfTheEmbedderTakesTextsOnly() throws Exception {
    OperatorOutcome outcome =
        topK("{\"photo\": {\"uri\": \"https://x/y.png\"}}", List.of("photo"), 2);

    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .contains("words embeds texts, no images");
  }

  @Test
  void topKFailsIfTheReferenceHasOtherVectors() throws Exception {
    OperatorRuntime others =
        new OperatorRuntime(
                Embedders.of(new WordEmbedder("words", 8), new WordEmbedder("other", 8)))
            .forProgram(_ -> fruit);
    TopK topK = new TopK("find", "in", "fruit", List.of("wish"), null, "found");
    Document document = document("{\"wish\": \"red\"}");

    assertThat(others.execute(topK, new TopKSearch("words", 1), document, wanting("-")))
        .extracting(outcome -> ((OperatorOutcome.Failed) outcome).failure().message())
        .asString()
        .contains("64 dimensions")
        .contains("query has 8");
    assertThat(others.execute(topK, new TopKSearch("other", 1), document, wanting("-")))
        .extracting(outcome -> ((OperatorOutcome.Failed) outcome).failure().message())
        .asString()
        .contains("no vectors of 'other'");
  }
}

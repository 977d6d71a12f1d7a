package dev.abacus.topology.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Labelled pairs in the prompts of joins. */
class PairExamplesTest extends FruitReference {

  private static final List<SolvedExample> PAIRS =
      List.of(
          pair("e1", "sour and red", "cherry", true),
          pair("e2", "something blue", "banana", false),
          pair("e3", "for a pie", "apple", true),
          pair("e4", "for a cake", "plum", false));

  private static SolvedExample pair(String id, String wish, String item, boolean match) {
    return SolvedExample.ofPair(id, document("{\"wish\": \"" + wish + "\"}"), item, match);
  }

  private static int shownPairs(ModelRequest request) {
    return request.system().split("<example n=").length - 1;
  }

  @Test
  void promptsOfAJoinShowLabelledPairsOfOtherItems() throws Exception {
    ScriptedModelClient client = wanting("-");
    operators.execute(
        join(JoinKind.LEFT, false),
        new NestedLoopsJoin("m", null, 2, PAIRS),
        document("{\"wish\": \"round\"}"),
        client);

    assertThat(client.requests()).hasSize(3).allMatch(request -> shownPairs(request) == 2);
    ModelRequest banana =
        client.requests().stream()
            .filter(request -> secondDocument(request).contains("banana"))
            .findFirst()
            .orElseThrow();
    assertThat(banana.system())
        .containsSubsequence(
            "<example n=\"1\">",
            "sour and red",
            "red small round cherry",
            "<answer>\n{\"satisfied\":true}",
            "<example n=\"2\">",
            "for a pie")
        .doesNotContain("blue", "banana", "plum");
  }

  @Test
  void aDocumentSeesNoPairOfItsOwn() throws Exception {
    ScriptedModelClient client = wanting("-");
    operators.execute(
        join(JoinKind.LEFT, false),
        new NestedLoopsJoin("m", null, 3, PAIRS),
        document("{\"wish\": \"sour and red\"}"),
        client);

    assertThat(client.requests())
        .hasSize(3)
        .allMatch(request -> !request.system().contains("sour and red"));
  }

  @Test
  void theVerificationOfAnEmbeddingJoinShowsPairsAndASampleTakesThemFromTheWholeReference()
      throws Exception {
    for (int i = 0; i < 1_000; i++) {
      item("item-" + i, "word" + i);
    }
    ScriptedModelClient client = wanting("-");
    Document document = document("{\"wish\": \"round\"}");
    operators
        .forSample(join(JoinKind.LEFT, false), document, null, "e9")
        .operators()
        .execute(
            join(JoinKind.LEFT, false),
            new EmbeddingJoin("m", "words", null, null, 2, PAIRS),
            document,
            client);

    assertThat(client.requests()).isNotEmpty().allMatch(request -> shownPairs(request) == 2);
  }

  @Test
  void aPairOfStreamsSeesNoPairOfItsOwnDocuments() throws Exception {
    StreamJoin streams =
        new StreamJoin(
            "match",
            "in",
            "fruits",
            Duration.ofMinutes(1),
            null,
            "It wants it.",
            List.of("wish"),
            JoinKind.INNER,
            "fruit",
            null);
    List<SolvedExample> pairs =
        List.of(
            SolvedExample.ofPair(
                "e1", document("{\"wish\": \"round\"}"), document("{\"name\": \"plum\"}"), true),
            SolvedExample.ofPair(
                "e2", document("{\"wish\": \"blue\"}"), document("{\"name\": \"kiwi\"}"), false),
            SolvedExample.ofPair(
                "e3", document("{\"wish\": \"sour\"}"), document("{\"name\": \"lime\"}"), true));
    ScriptedModelClient client = wanting("-");
    operators.execute(
        streams,
        new NestedLoopsJoin("m", null, 2, pairs),
        document("{\"wish\": \"round\", \"fruit\": {\"name\": \"kiwi\"}}"),
        client);

    assertThat(shownPairs(client.requests().getFirst())).isEqualTo(1);
    assertThat(client.requests().getFirst().system())
        .contains("lime")
        .doesNotContain("plum", "kiwi");
  }

  @Test
  void aProgramThatKeepsExamplesOutOfPromptsShowsNoPairs() throws Exception {
    ScriptedModelClient client = wanting("-");
    new OperatorRuntime(Embedders.of())
        .forProgram(_ -> fruit, () -> false)
        .execute(
            join(JoinKind.LEFT, false),
            new NestedLoopsJoin("m", null, 2, PAIRS),
            document("{\"wish\": \"round\"}"),
            client);

    assertThat(client.requests()).hasSize(3).allMatch(request -> shownPairs(request) == 0);
  }

  @Test
  void aJoinWithoutItsPairsIsUnusable() throws Exception {
    OperatorOutcome outcome =
        operators.execute(
            join(JoinKind.LEFT, false),
            new NestedLoopsJoin("m", null, 2, null),
            document("{\"wish\": \"round\"}"),
            wanting("-"));

    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .contains("nested-loops-join(m,k=2) of 'match' has no examples");
  }
}

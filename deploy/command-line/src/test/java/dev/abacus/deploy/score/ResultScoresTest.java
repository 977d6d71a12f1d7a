package dev.abacus.deploy.score;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.score.ResultScores.Figure;
import dev.abacus.deploy.score.ResultScores.Unscored;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultScoresTest {

  private static final String PROGRAM =
      """
      program: p
      sources: { docs: { topic: docs } }
      operators:
        - map: rank
          instruction: Rank them.
          writes: { best: { type: list }, note: string }
        - filter: good
          condition: It is good.
        - project: [id, best]
      results: { topic: out }
      validation: { metrics: { rank.best: rank-precision@2 } }
      """;

  private final Map<String, JsonNode> labels = new LinkedHashMap<>();
  private final Map<String, List<ObjectNode>> results = new LinkedHashMap<>();
  private final Map<String, String> failures = new LinkedHashMap<>();

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }

  private void result(String key, String... outputs) throws Exception {
    List<ObjectNode> parsed = new ArrayList<>();
    for (String output : outputs) {
      parsed.add((ObjectNode) json(output));
    }
    results.put(key, parsed);
  }

  private List<Figure> figures() throws Exception {
    return figures(PROGRAM);
  }

  private List<Figure> figures(String program) throws Exception {
    return scores(program).figures();
  }

  private ResultScores.Scores scores(String program) throws Exception {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    return new ResultScores(
            new ProgramParser(catalogue).parse(program),
            new Scorer(new Judge(catalogue)),
            labels,
            new DocumentOutcomes(results, failures))
        .scores();
  }

  @Test
  void resultsAreScoredByTheProgramsMetrics() throws Exception {
    labels.put(
        "a", json("{\"rank\": {\"best\": [\"x\", \"y\"], \"note\": \"n\"}, \"good\": true}"));
    labels.put("b", json("{\"rank\": {\"best\": [\"z\"]}, \"good\": true}"));
    result("a", "{\"id\": \"a\", \"best\": [\"x\", \"w\"]}");
    result("b", "{\"id\": \"b\", \"best\": [\"z\"]}");

    assertThat(figures())
        .containsExactly(
            new Figure("rank", "rank-precision@2", 0.75, 2),
            new Figure("good", "accuracy", 1, 2),
            new Figure("good", "agreement", 1, 2, false),
            new Figure("good", "f1 of kept", 1, 2, false),
            new Figure("whole plan", "quality", 0.75, 2));
  }

  @Test
  void aWronglyDroppedDocumentIsAnErrorOfTheFilterAlone() throws Exception {
    labels.put("missing", json("{\"rank\": {\"best\": [\"x\"]}, \"good\": true}"));
    labels.put("dropped", json("{\"rank\": {\"best\": [\"x\"]}, \"good\": false}"));
    labels.put("kept", json("{\"rank\": {\"best\": [\"x\"]}, \"good\": true}"));
    result("kept", "{\"id\": \"kept\", \"best\": [\"x\"]}");

    assertThat(figures())
        .containsExactly(
            new Figure("rank", "rank-precision@2", 1, 1),
            new Figure("good", "balanced accuracy", 0.75, 3),
            new Figure("good", "agreement", 2.0 / 3, 3, false),
            new Figure("good", "f1 of kept", 2.0 / 3, 3, false),
            new Figure("whole plan", "quality", 0.75, 1));
  }

  @Test
  void aDeadLetterScoresZeroForTheOperatorThatFailed() throws Exception {
    labels.put("map", json("{\"rank\": {\"best\": [\"x\"]}, \"good\": true}"));
    labels.put("filter", json("{\"rank\": {\"best\": [\"x\"]}, \"good\": false}"));
    labels.put("kept", json("{\"rank\": {\"best\": [\"x\"]}, \"good\": true}"));
    result("kept", "{\"id\": \"kept\", \"best\": [\"x\"]}");
    failures.put("map", "rank");
    failures.put("filter", "good");

    assertThat(figures().getFirst()).isEqualTo(new Figure("rank", "rank-precision@2", 0.5, 2));
    assertThat(figures().get(1)).isEqualTo(new Figure("good", "balanced accuracy", 0.5, 2));
  }

  @Test
  void aRankIsScoredByItsList() throws Exception {
    String program =
        PROGRAM.replace(
            "  - filter: good",
            """
              - rank: top
                items: best
                criterion: It is great.
                k: 2
                writes: ranked
              - filter: good\
            """);
    labels.put("a", json("{\"top\": [\"x\", \"unlisted\"], \"good\": true}"));
    labels.put("b", json("{\"top\": [\"x\", \"y\", \"z\"], \"good\": true}"));
    result("a", "{\"best\": [\"w\", \"x\"], \"ranked\": [\"x\", \"w\"]}");
    result("b", "{\"ranked\": [\"y\", \"x\"]}");

    assertThat(figures(program.replace("[id, best]", "[id, ranked]")).getFirst())
        .isEqualTo(new Figure("top", "ndcg@2", 1, 2));
    results.remove("a");
    assertThat(figures(program.replace("[id, best]", "[id, ranked]")).getFirst())
        .isEqualTo(new Figure("top", "ndcg@2", 1, 1, false));
  }

  private static final String SEARCHES =
      """
      program: p
      sources: { docs: { topic: docs } }
      references: { things: { topic: things, key: name } }
      operators:
        - topk: near
          from: things
          query: [text]
          k: 2
          writes: found
        - resolve: who
          with: things
          into: entity
        - join: related
          with: things
          condition: They are related.
          kind: left
          collect: relations
      results: { topic: out }
      validation: { metrics: { near: recall } }
      """;

  @Test
  void searchesResolutionsAndJoinsAreScoredByTheKeysOfTheirItems() throws Exception {
    labels.put("a", json("{\"near\": [\"X\", \"y\"], \"who\": \"x\", \"related\": [\"x\"]}"));
    labels.put("b", json("{\"near\": [\"x\"], \"who\": [], \"related\": []}"));
    labels.put("c", json("{\"near\": [\"x\"], \"who\": [\"x\"], \"related\": [\"x\"]}"));
    result(
        "a",
        """
        {"found": [{"name": "x"}, {"name": "z"}], "entity": {"name": "x", "id": "1"},
         "relations": [{"name": "x"}, {"name": "y"}]}
        """);
    result("b", "{\"found\": [{\"name\": \"x\"}], \"entity\": null, \"relations\": []}");
    failures.put("c", "who");

    assertThat(figures(SEARCHES))
        .containsExactly(
            new Figure("near", "recall", 0.75, 2),
            new Figure("who", "f1", 2.0 / 3, 3),
            new Figure("related", "f1", (2.0 / 3 + 1) / 2, 2),
            new Figure("whole plan", "quality", 0.75 * (2.0 / 3) * ((2.0 / 3 + 1) / 2), 2));
  }

  @Test
  void aJoinWithAnOutputPerMatchIsScoredByAllOutputsOfADocument() throws Exception {
    String program =
        """
        program: p
        sources: { docs: { topic: docs } }
        references: { things: { topic: things, key: name } }
        operators:
          - join: related
            with: things
            condition: They are related.
            into: thing
        results: { topic: out }
        """;
    labels.put("a", json("{\"related\": [\"x\", \"y\"]}"));
    labels.put("missed", json("{\"related\": [\"x\"]}"));
    labels.put("none", json("{\"related\": []}"));
    result("a", "{\"thing\": {\"name\": \"x\"}}", "{\"thing\": {\"name\": \"y\"}}");

    assertThat(figures(program).getFirst()).isEqualTo(new Figure("related", "f1", 2.0 / 3, 3));
  }

  @Test
  void aOneToManyMapIsScoredByAllOutputsOfADocument() throws Exception {
    String program =
        """
        program: p
        sources: { docs: { topic: docs } }
        operators:
          - map: split
            instruction: Split it.
            cardinality: many
            writes: { part: string }
        results: { topic: out }
        """;
    labels.put("rows", json("{\"split\": [{\"part\": \"x\"}, {\"part\": \"y\"}]}"));
    labels.put("columns", json("{\"split\": {\"part\": [\"x\", \"y\"]}}"));
    labels.put("empty", json("{\"split\": []}"));
    labels.put("missed", json("{\"split\": [{\"part\": \"x\"}]}"));
    result("rows", "{\"part\": \"y\"}", "{\"part\": \"x\"}");
    result("columns", "{\"part\": \"x\"}", "{\"part\": \"z\"}");

    assertThat(figures(program).getFirst().value()).isEqualTo((1 + 0.5 + 1 + 0) / 4);
    assertThat(figures(program).getFirst().documents()).isEqualTo(4);
  }

  @Test
  void outputsThatALaterFilterMayDropAreNotScored() throws Exception {
    String program =
        """
        program: p
        sources: { docs: { topic: docs } }
        operators:
          - map: split
            instruction: Split it.
            cardinality: many
            writes: { part: string }
          - filter: good
            condition: It is good.
        results: { topic: out }
        """;
    labels.put("a", json("{\"split\": [{\"part\": \"x\"}], \"good\": true}"));
    result("a", "{\"part\": \"x\"}");

    assertThat(scores(program).unscored())
        .contains(new Unscored("split", "a later operator may drop its outputs"));
  }

  @Test
  void operatorsThatOnlyAJudgeScoresAreNamed() throws Exception {
    labels.put("a", json("{\"rank\": {\"best\": [\"x\"], \"note\": \"n\"}}"));
    result("a", "{\"id\": \"a\", \"best\": [\"x\"], \"note\": \"n\"}");

    assertThat(scores(PROGRAM.replace("rank.best: rank-precision@2", "rank: judge")))
        .isEqualTo(
            new ResultScores.Scores(
                List.of(),
                List.of(
                    new Unscored("rank", "its metric is judge"),
                    new Unscored("good", "no labels"))));
    assertThat(figures(PROGRAM.replace("rank.best: rank-precision@2", "rank.note: judge")))
        .as("the other fields are compared")
        .containsExactly(new Figure("rank", "f1 of lists, exact else", 1, 1));
  }

  @Test
  void aFieldThatALaterOperatorReplacesIsNotScored() throws Exception {
    String program =
        SEARCHES.replace(
            "  - resolve: who",
            """
              - rank: order
                items: found
                criterion: It is close.
                key: name
                writes: found
              - resolve: who\
            """);
    labels.put("a", json("{\"near\": [\"x\"], \"order\": [\"x\"]}"));
    result("a", "{\"found\": [{\"name\": \"x\"}]}");

    assertThat(scores(program).unscored())
        .contains(
            new Unscored("near", "results lack its fields, or have those of a later operator"));
  }

  @Test
  void aGroupIsScoredUnderTheKeyOfItsResult() throws Exception {
    String program =
        """
        program: p
        sources: { docs: { topic: docs } }
        operators:
          - aggregate: summary
            by: [team]
            window: { tumbling: 1h }
            instruction: Summarize them.
            writes: { mood: string }
            compute: { mails: count }
        results: { topic: out }
        """;
    labels.put("sales", json("{\"summary\": {\"mood\": \"good\", \"mails\": 2}}"));
    result("sales", "{\"team\": \"sales\", \"mood\": \"Good\", \"mails\": 2}");

    assertThat(figures(program).getFirst())
        .isEqualTo(new Figure("summary", "f1 of lists, exact else", 1, 1));
  }

  @Test
  void withoutLabelsThereIsNoFigure() throws Exception {
    result("a", "{\"id\": \"a\", \"best\": [\"x\"]}");

    assertThat(figures()).isEmpty();
  }
}

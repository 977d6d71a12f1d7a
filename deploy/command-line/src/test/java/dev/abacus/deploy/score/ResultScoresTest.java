package dev.abacus.deploy.score;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.score.ResultScores.Figure;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
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
  private final Map<String, ObjectNode> results = new LinkedHashMap<>();

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }

  private List<Figure> figures() throws Exception {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    return new ResultScores(
            new ProgramParser(catalogue).parse(PROGRAM),
            new Scorer(new Judge(catalogue)),
            labels,
            results)
        .figures();
  }

  @Test
  void resultsAreScoredByTheProgramsMetrics() throws Exception {
    labels.put(
        "a", json("{\"rank\": {\"best\": [\"x\", \"y\"], \"note\": \"n\"}, \"good\": true}"));
    labels.put("b", json("{\"rank\": {\"best\": [\"z\"]}, \"good\": true}"));
    results.put("a", (ObjectNode) json("{\"id\": \"a\", \"best\": [\"x\", \"w\"]}"));
    results.put("b", (ObjectNode) json("{\"id\": \"b\", \"best\": [\"z\"]}"));

    assertThat(figures())
        .containsExactly(
            new Figure("rank", "rank-precision@2", 0.75, 2),
            new Figure("good", "agreement", 1, 2),
            new Figure("good", "f1 of kept", 1, 2));
  }

  @Test
  void aMissingResultIsAMissUnlessItWasRightToDropIt() throws Exception {
    labels.put("missing", json("{\"rank\": {\"best\": [\"x\"]}, \"good\": true}"));
    labels.put("dropped", json("{\"rank\": {\"best\": [\"x\"]}, \"good\": false}"));
    labels.put("kept", json("{\"rank\": {\"best\": [\"x\"]}, \"good\": true}"));
    results.put("kept", (ObjectNode) json("{\"id\": \"kept\", \"best\": [\"x\"]}"));

    assertThat(figures().getFirst()).isEqualTo(new Figure("rank", "rank-precision@2", 0.5, 2));
    assertThat(figures().get(1).value()).isEqualTo(2.0 / 3);
    assertThat(figures().get(2).value()).isEqualTo(2.0 / 3);
  }

  @Test
  void withoutLabelsThereIsNoFigure() throws Exception {
    results.put("a", (ObjectNode) json("{\"id\": \"a\", \"best\": [\"x\"]}"));

    assertThat(figures()).isEmpty();
  }
}

package dev.abacus.deploy.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.score.ResultScores.Figure;
import dev.abacus.deploy.score.ResultScores.Unscored;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Scores of programs in which several operators may drop a document. */
class DroppedDocumentsTest {

  private final Map<String, JsonNode> labels = new LinkedHashMap<>();
  private final Map<String, List<ObjectNode>> results = new LinkedHashMap<>();

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }

  private void result(String key, String output) throws Exception {
    results.put(key, List.of((ObjectNode) json(output)));
  }

  private ResultScores.Scores scores(String program, Map<String, List<Journey>> journeys)
      throws Exception {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    return new ResultScores(
            new ProgramParser(catalogue).parse(program),
            new Scorer(new Judge(catalogue)),
            labels,
            new DocumentOutcomes(results, Map.of()).withJourneys(journeys))
        .scores();
  }

  private static final String TWO_FILTERS =
      """
      program: p
      sources: { docs: { topic: docs } }
      operators:
        - filter: new
          condition: It is new.
        - filter: good
          condition: It is good.
      results: { topic: out }
      """;

  private static Journey journey(String operator, Journey.Step... steps) {
    Journey.Outcome outcome = operator.isEmpty() ? Journey.Outcome.KEPT : Journey.Outcome.DROPPED;
    Journey.End end = new Journey.End(outcome, operator, "", 0, 0);
    return new Journey(
        "p", "docs-0@0", "", 1, "worker", Instant.EPOCH, false, "", List.of(steps), end);
  }

  private static Journey.Step step(String operator, boolean kept) {
    return new Journey.Step(
        operator,
        "model",
        kept ? Journey.Outcome.KEPT : Journey.Outcome.DROPPED,
        kept ? 1 : 0,
        "",
        "",
        0,
        0,
        List.of(),
        0);
  }

  @Test
  void journeysTellWhichOfSeveralFiltersDroppedADocument() throws Exception {
    labels.put("kept", json("{\"new\": true, \"good\": true}"));
    labels.put("old", json("{\"new\": false, \"good\": true}"));
    labels.put("wrongly", json("{\"new\": true, \"good\": true}"));
    labels.put("bad", json("{\"new\": true, \"good\": false}"));
    labels.put("unrecorded", json("{\"new\": true, \"good\": false}"));
    result("kept", "{\"id\": \"kept\"}");

    // The plan asks for "good" first.
    assertThat(
            scores(
                    TWO_FILTERS,
                    Map.of(
                        "kept", List.of(journey("", step("good", true), step("new", true))),
                        "old", List.of(journey("new", step("good", true), step("new", false))),
                        "wrongly", List.of(journey("good", step("good", false))),
                        "bad", List.of(journey("good", step("good", false)))))
                .figures())
        .containsExactly(
            new Figure("new", "balanced accuracy", 1, 2),
            new Figure("good", "balanced accuracy", (2.0 / 3 + 1) / 2, 4),
            new Figure("new+good", "agreement", 0.8, 5, false),
            new Figure("new+good", "f1 of kept", 2.0 / 3, 5, false),
            new Figure("whole plan", "quality", (2.0 / 3 + 1) / 2, 2));
  }

  @Test
  void aJoinThatMayDropDocumentsNeedsJourneysBesideAFilter() throws Exception {
    String program =
        """
        program: p
        sources: { docs: { topic: docs } }
        references: { things: { topic: things, key: name } }
        operators:
          - filter: new
            condition: It is new.
          - join: related
            with: things
            condition: They are related.
            into: thing
        results: { topic: out }
        """;
    labels.put("found", json("{\"new\": true, \"related\": [\"x\"]}"));
    labels.put("missed", json("{\"new\": true, \"related\": [\"x\"]}"));
    labels.put("old", json("{\"new\": false, \"related\": [\"x\"]}"));
    result("found", "{\"thing\": {\"name\": \"x\"}}");

    assertThat(scores(program, Map.of()).unscored())
        .extracting(Unscored::operator)
        .containsExactly("related", "new");
    assertThat(
            scores(
                    program,
                    Map.of(
                        "found", List.of(journey("", step("new", true), step("related", true))),
                        "missed", List.of(journey("related", step("new", true))),
                        "old", List.of(journey("new", step("new", false)))))
                .figures())
        .startsWith(
            new Figure("related", "f1", 0.5, 2), new Figure("new", "balanced accuracy", 1, 3));
  }

  @Test
  void withoutJourneysSeveralFiltersHaveNoScoresOfTheirOwn() throws Exception {
    labels.put("kept", json("{\"new\": true, \"good\": true}"));
    result("kept", "{\"id\": \"kept\"}");

    ResultScores.Scores scores = scores(TWO_FILTERS, Map.of());

    assertThat(scores.figures())
        .containsExactly(
            new Figure("new+good", "agreement", 1, 1, false),
            new Figure("new+good", "f1 of kept", 1, 1, false));
    assertThat(scores.unscored())
        .extracting(
            Unscored::operator, unscored -> unscored.reason().contains("no journey can be read"))
        .containsExactly(tuple("new", true), tuple("good", true));
  }
}

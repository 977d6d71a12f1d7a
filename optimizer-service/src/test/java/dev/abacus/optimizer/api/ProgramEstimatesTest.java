package dev.abacus.optimizer.api;

import static dev.abacus.optimizer.Given.filter;
import static dev.abacus.optimizer.Given.map;
import static dev.abacus.optimizer.Given.program;
import static dev.abacus.optimizer.Given.project;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramEstimatesTest {

  private static final Program PROGRAM =
      program(map("m", "text"), filter("f", "text"), project("p", "m"));
  private static final String ESTIMATES =
      """
      {"m": [{"id": "p1", "quality": 0.9, "cost": 0.1, "latency": 2.0},
             {"id": "p2", "quality": 0.5, "cost": 0.02, "latency": 1}],
       "f": [{"id": "p1", "quality": 1, "cost": 0.01, "latency": 1, "selectivity": 0.5}]}
      """;

  @Test
  void theAnswerHasTheFormOfTheInterface() {
    JsonNode answer = answer("maximize quality subject to cost <= 0.06");
    assertThat(answer.path("feasible").isBoolean()).isTrue();
    assertThat(answer.path("feasible").asBoolean()).isTrue();
    assertThat(answer.path("chosen"))
        .hasToString(
            "{\"operators\":[{\"logical\":\"f\",\"physical\":\"p1\"},"
                + "{\"logical\":\"m\",\"physical\":\"p1\"},"
                + "{\"logical\":\"p\",\"physical\":\"relational\"}],"
                + "\"quality\":0.9,\"cost\":0.06,\"latency\":3.0}");
    assertThat(answer.path("frontier")).hasSize(2).contains(answer.path("chosen"));
    assertThat(answer.path("statistics").fieldNames())
        .toIterable()
        .containsExactly(
            "groups",
            "expressions",
            "rules",
            "largestGroup",
            "epsilon",
            "frontierExact",
            "frontierEpsilon",
            "allOrders",
            "millis");
    assertThat(answer.has("violations")).isFalse();
  }

  @Test
  void anInfeasibleAnswerSaysByHowMuchItMisses() {
    JsonNode answer = answer("maximize quality subject to latency <= 1s");
    assertThat(answer.path("feasible").asBoolean()).isFalse();
    assertThat(answer.path("violations")).hasToString("{\"latency\":2.0}");
  }

  @Test
  void anExplanationSaysWhatEachBoundCosts() {
    JsonNode answer =
        explanation(ESTIMATES, "maximize quality subject to cost <= 0.05, latency <= 9s");
    assertThat(answer.at("/chosen/quality").asDouble()).isEqualTo(0.5);
    assertThat(answer.at("/bounds/0/without").asText()).isEqualTo("cost <= 0.05");
    assertThat(answer.at("/bounds/0/best/quality").asDouble()).isEqualTo(0.9);
    assertThat(answer.at("/bounds/1/best/quality").asDouble()).isEqualTo(0.5);
  }

  @Test
  void anExplanationSaysHowSureTheEstimatesAre() {
    String sure =
        ESTIMATES.replace(
            "\"quality\": 0.9,",
            "\"quality\": 0.9, \"samples\": 12, \"intervals\": {\"quality\": [0.8, 0.95]},");
    JsonNode answer = explanation(sure, "maximize quality");

    assertThat(answer.path("sureness"))
        .hasToString(
            "{\"m\":{\"implementation\":\"p1\",\"samples\":12,\"intervals\":{\"quality\":[0.8,0.95]}}}");
  }

  @Test
  void selectivityIsOneUnlessGivenAndProjectionsAreRelational() {
    assertThat(read(ESTIMATES))
        .containsEntry("p", List.of(new Candidate("relational", OperatorEstimate.RELATIONAL)))
        .containsEntry("f", List.of(new Candidate("p1", new OperatorEstimate(1, 0.01, 1, 0.5))))
        .hasEntrySatisfying(
            "m", list -> assertThat(list.getFirst().estimate().selectivity()).isEqualTo(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"quality\": 0.9 | \"quality\": 1.01 | m[0].quality | at most 1",
        "\"quality\": 0.9 | \"quality\": -0.1 | m[0].quality | negative",
        "\"quality\": 0.9 | \"quality\": \"0.9\" | m[0].quality | number",
        "\"quality\": 0.9 | \"quality\": null | m[0].quality | number",
        "\"quality\": 0.9 | \"quality\": NaN | no JSON | NaN",
        "\"quality\": 0.9 | \"quality\": 1e999 | m[0].quality | number",
        "\"quality\": 0.9, | | m[0].quality | missing",
        "\"cost\": 0.02 | \"cost\": -1 | m[1].cost | negative",
        "\"latency\": 2.0 | \"latency\": 2.0, \"latenz\": 1 | m[0].latenz | no key",
        "\"selectivity\": 0.5 | \"selectivity\": 1.5 | f[0].selectivity | at most 1",
        "\"id\": \"p2\" | \"id\": \"p1\" | 'm' | two implementations",
        "\"id\": \"p2\" | \"id\": 2 | m[1].id | text",
        "\"id\": \"p2\" | \"id\": \"p2\", \"samples\": -1 | m[1].samples | not negative",
        "\"id\": \"p2\" | \"id\": \"p2\", \"intervals\": {\"cost\": [2, 1]} | m[1].intervals.cost | low",
        "\"f\": | \"g\": | 'g' | no operator",
        "\"f\": | \"m\": | no JSON | occurs twice",
      })
  void whatIsWrongIsRefusedByKeyAndReason(String right, String wrong, String key, String reason) {
    String json = ESTIMATES.replace(right, wrong == null ? "" : wrong);
    assertThat(json).isNotEqualTo(ESTIMATES);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(json))
        .withMessageContaining(key)
        .withMessageContaining(reason);
  }

  @Test
  void everySemanticOperatorNeedsEstimates() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("{\"m\": []}"))
        .withMessageContaining("'m'");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> read("{\"m\": [{\"id\": \"x\", \"quality\": 1, \"cost\": 0, \"latency\": 0}]}"))
        .withMessageContaining("'f' is missing");
    assertThatIllegalArgumentException().isThrownBy(() -> read("[]"));
    assertThatIllegalArgumentException().isThrownBy(() -> read(""));
  }

  private static JsonNode answer(String objective) {
    return Json.tree(
        ProgramEstimates.read(ESTIMATES, PROGRAM)
            .search(ObjectiveParser.parse(objective), SearchSettings.DEFAULT));
  }

  private static JsonNode explanation(String estimates, String objective) {
    return Json.tree(
        ProgramEstimates.read(estimates, PROGRAM)
            .explain(ObjectiveParser.parse(objective), SearchSettings.DEFAULT));
  }

  private static Map<String, List<Candidate>> read(String json) {
    return EstimatesJson.read(EstimatesJson.tree(json), PROGRAM);
  }
}

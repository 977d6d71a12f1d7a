package dev.abacus.deploy.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.kafka.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SearchProgressTest {

  private static JsonNode report(String json) throws Exception {
    return Json.read(json.getBytes(StandardCharsets.UTF_8), JsonNode.class);
  }

  @Test
  void aWaitForModelsIsOneLineWithThePhaseAndTheBudgetInTokens() throws Exception {
    JsonNode report =
        report(
            """
            {"phase": "WAITING_FOR_MODELS", "samplesObserved": 4, "spentUsd": 0.02,
             "budgetTokens": 90000, "spentTokens": 1200, "message": "epoch 2: waiting"}
            """);
    assertThat(SearchProgress.of(report, null))
        .startsWith("waiting for models, 4 samples back, ")
        .endsWith(", 1,200 of 90,000 tokens: epoch 2: waiting");
    assertThat(SearchProgress.of(report, "waiting")).endsWith(" tokens");
  }

  /** A round after a drift or after corrected results has the budget again. */
  @Test
  void theBudgetIsThatOfOneRound() throws Exception {
    String report =
        """
        {"phase": "FINISHED", "samplesObserved": %d, "budgetSamples": 150, "spentUsd": 0.02}
        """;

    assertThat(SearchProgress.of(report(report.formatted(40)), null))
        .startsWith("finished, 40 of 150 samples back, ");
    assertThat(SearchProgress.of(report(report.formatted(204)), null))
        .startsWith("finished, 204 samples back in all rounds of 150, ");
  }

  @Test
  void threadsThatDoNotWorkAreNamed() throws Exception {
    JsonNode report =
        report(
            """
            {"threads": [
              {"thread": "access", "state": "RUNNING", "since": "2026-01-01T00:00:00Z",
               "failures": 0, "skipped": 0},
              {"thread": "optimizer", "state": "RESTARTING", "since": "2026-01-01T00:00:00Z",
               "failures": 3, "skipped": 0, "cause": "too large"}]}
            """);

    assertThat(SearchProgress.troubles(report))
        .containsExactly(
            "optimizer: thread 'optimizer' fails since 2026-01-01T00:00:00Z (3 failures): too large");
    assertThat(SearchProgress.troubles(null)).isEmpty();
  }

  @Test
  void correctedResultsAreCountedWithTheRefusedOnesAndTheNextRound() throws Exception {
    String report =
        """
        {"feedback": {"topic": "fixes", "examples": 3, "refused": %d, "lastRefusal": "no header",
                      "nextRound": %d}}
        """;

    assertThat(SearchProgress.feedback(report(report.formatted(0, 17)), false))
        .isEqualTo("corrected results on fixes: 3 are examples; a new round after 17 more");
    assertThat(SearchProgress.feedback(report(report.formatted(2, 0)), false))
        .contains("3 are examples, 2 refused (the last: no header); a new round follows");
    assertThat(SearchProgress.feedback(report(report.formatted(0, 0)), true))
        .contains("waits, because a user has activated the plan");
    assertThat(SearchProgress.feedback(report("{}"), false)).isNull();
  }

  @Test
  void theModelsThatCannotBeCalledAreTheMessagesOfTheReport() throws Exception {
    assertThat(
            SearchProgress.unavailableModels(
                report(
                    """
                    {"models": [{"model": "m", "state": "MISSING", "message": "model 'm' is away"}]}
                    """)))
        .containsExactly("model 'm' is away");
    assertThat(SearchProgress.unavailableModels(report("{}"))).isEmpty();
    assertThat(SearchProgress.unavailableModels(null)).isEmpty();
  }

  @Test
  void anOutageEndsByItselfButAMissingModelDoesNot() throws Exception {
    String report = "{\"phase\": \"%s\", \"models\": [%s]}";
    String down = "{\"model\": \"m\", \"state\": \"UNREACHABLE\"}";
    String missing = "{\"model\": \"n\", \"state\": \"MISSING\"}";
    String waiting = "WAITING_FOR_MODELS";
    assertThat(SearchProgress.waitsForAnOutage(report(report.formatted(waiting, down)))).isTrue();
    assertThat(
            SearchProgress.waitsForAnOutage(
                report(report.formatted(waiting, down + ", " + missing))))
        .isFalse();
    assertThat(SearchProgress.waitsForAnOutage(report(report.formatted(waiting, "")))).isFalse();
    assertThat(SearchProgress.waitsForAnOutage(report(report.formatted("SAMPLING", down))))
        .isFalse();
  }

  @Test
  void theNoticesAreWarningsAndModelsUnderAnIdentityThatDoesNotChangeWithTime() throws Exception {
    String report =
        """
        {"warnings": ["judge 'j' also scores its own answers"],
         "models": [{"model": "m", "state": "MISSING", "message": "model 'm' waits until %s"}]}
        """;
    assertThat(SearchProgress.notices(report(report.formatted("10:00"))))
        .containsExactly(
            Map.entry(
                "judge 'j' also scores its own answers",
                "warning: judge 'j' also scores its own answers"),
            Map.entry("m MISSING", "search: model 'm' waits until 10:00"));
    assertThat(SearchProgress.notices(report(report.formatted("10:05"))).keySet())
        .isEqualTo(SearchProgress.notices(report(report.formatted("10:00"))).keySet());
    assertThat(SearchProgress.notices(null)).isEmpty();
  }
}

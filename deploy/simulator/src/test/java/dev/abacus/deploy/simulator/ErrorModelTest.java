package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.Letters.Letter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The error model: a simulated model uses the ground truth only as far as its prompt shows it. */
class ErrorModelTest extends LettersTest {

  private double clausesRecalled(Letter letter, JsonNode answer) {
    JsonNode truth = letter.truth("clauses");
    if (truth.isEmpty()) {
      return 1;
    }
    Set<JsonNode> said = new HashSet<>();
    answer.path("clauses").forEach(said::add);
    int hits = 0;
    for (JsonNode clause : truth) {
      hits += said.contains(clause) ? 1 : 0;
    }
    return (double) hits / truth.size();
  }

  @Test
  void strongerModelsAreBetterOnAverage() {
    double strong =
        mean(letter ->
            categoryRight(
                letter, RequestBuilder.map(STRONG, RequestBuilder.CATEGORY).about(letter.text())));
    double middling =
        mean(letter ->
            categoryRight(
                letter,
                RequestBuilder.map(MIDDLING, RequestBuilder.CATEGORY).about(letter.text())));
    double weak =
        mean(letter ->
            categoryRight(
                letter, RequestBuilder.map(WEAK, RequestBuilder.CATEGORY).about(letter.text())));

    assertThat(strong).isGreaterThan(middling + 0.02).isLessThan(1);
    assertThat(middling).isGreaterThan(weak + 0.02);
    assertThat(weak).isGreaterThan(0.4);
  }

  @Test
  void strongerModelsFilterBetter() {
    double strong = mean(letter -> decidedRight(letter, STRONG));
    double weak = mean(letter -> decidedRight(letter, WEAK));

    // Letters share phrases; sharing a phrase with a letter is not quoting it.
    assertThat(strong).isGreaterThan(weak + 0.05).isGreaterThan(0.9);
    assertThat(weak).isGreaterThan(0.55);
  }

  private double decidedRight(Letter letter, String model) {
    JsonNode said =
        client.answer(RequestBuilder.filter(model).about(letter.text())).path("satisfied");
    return said.isBoolean() && said.booleanValue() == letter.complains() ? 1 : 0;
  }

  @Test
  void aCutSpanIsNeverFound() {
    for (Letter letter : letters.all()) {
      String reference = letter.truth("reference").asText();
      String text = letter.text().replace(reference, "[…]");
      for (JsonNode clause : letter.truth("clauses")) {
        text = text.replace(clause.asText(), "");
      }
      JsonNode answer =
          client.answer(
              RequestBuilder.map(STRONG, RequestBuilder.REFERENCE, RequestBuilder.CLAUSES)
                  .about(text));

      assertThat(answer.path("reference").asText()).isNotEqualTo(reference);
      for (JsonNode said : answer.path("clauses")) {
        assertThat(letter.truth("clauses")).doesNotContain(said);
      }
    }
  }

  @Test
  void allCopiedTextIsTextOfThePrompt() {
    for (Letter letter : letters.all()) {
      JsonNode answer =
          client.answer(RequestBuilder.map(WEAK, RequestBuilder.CLAUSES).about(letter.text()));

      for (JsonNode said : answer.path("clauses")) {
        assertThat(letter.text()).contains(said.asText());
      }
    }
  }

  @Test
  void aConditionWhoseEvidenceWasCutIsMostlyDenied() {
    List<Letter> complaints = letters.all().stream().filter(Letter::complains).toList();
    long affirmed =
        complaints.stream()
            .map(letter -> letter.text().replace(letter.evidence(Letters.CONDITION), ""))
            .filter(text ->
                client
                    .answer(RequestBuilder.filter(STRONG).about(text))
                    .path("satisfied")
                    .asBoolean())
            .count();

    assertThat(affirmed).isLessThan(complaints.size() / 10);
  }

  @Test
  void longContextsAreWorseThanReducedOnesThatKeepTheEvidence() {
    String filler =
        "The committee took note of the report and went on to the next item of the agenda. "
            .repeat(300);
    double reduced =
        mean(letter ->
            clausesRecalled(
                letter,
                client.answer(
                    RequestBuilder.map(MIDDLING, RequestBuilder.CLAUSES).about(letter.text()))));
    double padded =
        mean(letter ->
            clausesRecalled(
                letter,
                client.answer(
                    RequestBuilder.map(MIDDLING, RequestBuilder.CLAUSES)
                        .about(filler + letter.text() + " " + filler))));

    assertThat(reduced).isGreaterThan(padded + 0.1);
    assertThat(padded).isGreaterThan(0.1);
  }

  @Test
  void manyFieldsAtOnceAreWorseThanOne() {
    List<String> crowd = new ArrayList<>(List.of(RequestBuilder.CATEGORY));
    for (int i = 0; i < 40; i++) {
      crowd.add(RequestBuilder.property("other_" + i, "\"type\":\"string\""));
    }
    String[] properties = crowd.toArray(String[]::new);
    double one =
        mean(letter ->
            categoryRight(
                letter,
                RequestBuilder.map(MIDDLING, RequestBuilder.CATEGORY).about(letter.text())));
    double many =
        mean(letter ->
            categoryRight(letter, RequestBuilder.map(MIDDLING, properties).about(letter.text())));

    assertThat(one).isGreaterThan(many + 0.03);
  }
}

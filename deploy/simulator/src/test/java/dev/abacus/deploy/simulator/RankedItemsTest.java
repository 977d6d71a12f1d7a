package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks: the answers file names the items that meet a criterion. */
class RankedItemsTest {

  private static final String REPORT =
      "After the second tablet the hands trembled so much that a cup fell.";
  private static final String NUMBER = "{\"type\":\"integer\"}";

  @TempDir private Path folder;
  private SimulatedEndpoint endpoint;
  private Client client;

  @BeforeEach
  void start() throws IOException {
    Path file = folder.resolve("answers.jsonl");
    Files.writeString(
        file,
        "{\"id\":\"r\",\"document\":{\"text\":\"%s\"},\"conditions\":{\"The patient had it.\":[\"Tremor\",\"t9\"]},\"difficulty\":{\"The patient had it.\":0}}\n"
            .formatted(REPORT));
    endpoint =
        SimulatedEndpoint.start(
            SimulatorOptions.DEFAULTS.withAnswers(file).withSpeed(Double.POSITIVE_INFINITY));
    client = new Client(endpoint);
  }

  @AfterEach
  void stop() {
    client.close();
    endpoint.close();
  }

  private JsonNode ask(String format, String properties, String... items) throws IOException {
    return askAbout(REPORT, format, properties, items);
  }

  private JsonNode askAbout(String text, String format, String properties, String... items)
      throws IOException {
    StringBuilder listed = new StringBuilder();
    for (int i = 0; i < items.length; i++) {
      listed.append("<item n=\"%d\">\n%s\n</item>\n".formatted(i + 1, items[i]));
    }
    RequestBuilder ask = RequestBuilder.filter("gpt-5").ofFormat(format, properties);
    return client.answer(
        new RequestBuilder(
                ask.model(),
                0,
                ask.format(),
                ask.schema(),
                "Rank.\n<instruction>\nThe patient had it.\n</instruction>",
                ask.user())
            .about(text)
            .with(listed.toString()));
  }

  @Test
  void anOrderBeginsWithTheItemsThatMeetTheCriterion() throws IOException {
    JsonNode order =
        ask(
                "rank_order",
                "\"order\":{\"type\":\"array\",\"items\":" + NUMBER + "}",
                "Acne",
                "{\"id\":\"t9\"}",
                "Vomiting",
                "Tremor")
            .path("order");
    assertThat(order).hasSize(4);
    assertThat(order.valueStream().limit(2).map(JsonNode::intValue))
        .containsExactlyInAnyOrder(2, 4);
  }

  @Test
  void gradesAndComparisonsTellThemFromOthers() throws IOException {
    String grade = "\"grade\":" + NUMBER;
    assertThat(ask("rank_grade", grade, "Tremor").path("grade").intValue()).isGreaterThan(50);
    assertThat(ask("rank_grade", grade, "Acne").path("grade").intValue()).isLessThan(50);
    String better = "\"better\":" + NUMBER;
    assertThat(ask("rank_comparison", better, "Acne", "Tremor").path("better").intValue())
        .isEqualTo(2);
    assertThat(ask("rank_comparison", better, "Tremor", "Acne").path("better").intValue())
        .isEqualTo(1);
  }

  @Test
  void aChoiceIsTheItemThatMeetsTheCriterionOrNone() throws IOException {
    String item = "\"item\":" + NUMBER;
    assertThat(ask("item_choice", item, "Acne", "Tremor").path("item").intValue()).isEqualTo(2);
    assertThat(ask("item_choice", item, "Acne", "Vomiting").path("item").intValue()).isZero();
  }

  @Test
  void theItemsOfAnUnknownDocumentAreEqual() throws IOException {
    JsonNode grade =
        askAbout(
            "Nobody has ever seen these words before today.",
            "rank_grade",
            "\"grade\":" + NUMBER,
            "Tremor");
    assertThat(grade.path("grade").intValue()).isEqualTo(50);
  }

  @Test
  void theJudgeComparesAnOrderWithTheBestOne() throws IOException {
    String score = "\"score\":{\"type\":\"number\",\"minimum\":0,\"maximum\":1}";
    assertThat(judged(score, "[\"Tremor\"]")).isGreaterThan(0.8);
    assertThat(judged(score, "[\"Acne\",\"Tremor\"]")).isBetween(0.4, 0.85);
    assertThat(judged(score, "[\"Acne\"]")).isLessThan(0.2);
  }

  private double judged(String score, String output) throws IOException {
    RequestBuilder ask = RequestBuilder.filter("gpt-5").ofFormat("judgement", score);
    return client
        .answer(
            new RequestBuilder(
                    ask.model(),
                    0,
                    ask.format(),
                    ask.schema(),
                    "Grade.\n<instruction>\nThe patient had it.\n</instruction>",
                    ask.user())
                .with(
                    "<document>\n<field name=\"text\">%s</field>\n<field name=\"terms\">[\"Acne\",\"Tremor\"]</field>\n</document>"
                        .formatted(REPORT))
                .with("<output>\n" + output + "\n</output>"))
        .path("score")
        .doubleValue();
  }
}

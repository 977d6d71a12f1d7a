package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.Letters.Letter;
import dev.abacus.deploy.simulator.prompt.Prompt;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Solved examples and reasoning help a model a little. */
class HelpedModelsTest extends LettersTest {

  private static RequestBuilder categories(String model, String help) {
    RequestBuilder ask = RequestBuilder.map(model, RequestBuilder.CATEGORY);
    return new RequestBuilder(
        ask.model(), 0, ask.format(), ask.schema(), ask.system() + help, List.of());
  }

  private int rightCategories(RequestBuilder ask) {
    int right = 0;
    for (Letter letter : letters.all()) {
      JsonNode answer = client.answer(ask.about(letter.text()));
      right += answer.path("category").equals(letter.truth("category")) ? 1 : 0;
    }
    return right;
  }

  @Test
  void examplesInTheUserMessageAreNoDocuments() {
    String document = "<document>\n<field name=\"text\">One.</field>\n</document>";
    String example = "<example n=\"1\">\n" + document + "\n<answer>\n{}\n</answer>\n</example>\n";
    Prompt alone = Prompt.parse("", document, false);
    Prompt shown = Prompt.parse("", example + document, false);

    assertThat(shown.examples()).isEqualTo(1);
    assertThat(shown.document()).isEqualTo(alone.document());
  }

  @Test
  void solvedExamplesAndStepsHelpSomewhatAndCostTokens() {
    String example =
        "\n<example n=\"1\">\n"
            + "<document>\n<field name=\"text\">Not found. Last answer: none.</field>\n</document>"
            + "\n<answer>\n{\"category\":\"other\"}\n</answer>\n</example>";
    int alone = rightCategories(categories(WEAK, ""));
    int shown = rightCategories(categories(WEAK, example.repeat(7)));
    int steps =
        rightCategories(
            categories(WEAK, "\nIt begins with one more field, \"reasoning\", a text.")
                .ofFormat(
                    "map_output",
                    RequestBuilder.property("reasoning", "\"type\":\"string\"")
                        + ","
                        + RequestBuilder.CATEGORY));

    int all = letters.all().size();
    assertThat(shown).isBetween(alone + 1, alone + all / 5);
    assertThat(steps).isBetween(alone + 1, alone + all / 5);
  }
}

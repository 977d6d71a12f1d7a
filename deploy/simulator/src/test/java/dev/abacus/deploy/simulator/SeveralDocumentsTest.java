package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prompts with two documents, and prompts with a part of a document. */
class SeveralDocumentsTest {

  private static final String RAIN =
      "It has rained on the harbour for eleven days without a break.";
  private static final String SUN =
      "The orchards in the south have not seen a cloud since early spring.";
  private static final String WET =
      "Umbrellas, boots and coats are sold out in all shops of the town.";
  private static final String SCHEMA = "\"satisfied\":{\"type\":\"boolean\"}";

  @TempDir private Path folder;

  private static String row(String id, String text, String partners) {
    return "{\"id\":\"%s\",\"document\":{\"text\":\"%s\"},\"conditions\":{\"The goods suit the weather.\":%s},\"difficulty\":{\"The goods suit the weather.\":0}}\n"
        .formatted(id, text, partners);
  }

  private static RequestBuilder pair(String left, String right) {
    String condition = "Decide.\n<condition>\nThe goods  suit the weather\n</condition>";
    RequestBuilder ask = RequestBuilder.filter("gpt-5").ofFormat("filter_decision", SCHEMA);
    return new RequestBuilder(ask.model(), 0, ask.format(), ask.schema(), condition, ask.user())
        .with(
            "<document>\n<field name=\"left\">"
                + left
                + "</field>\n<field name=\"right\">"
                + right
                + "</field>\n</document>");
  }

  @Test
  void aJoinHoldsForThePartnersThatTheFileNames() throws IOException {
    Path file = folder.resolve("pairs.jsonl");
    Files.writeString(
        file,
        row("rain", RAIN, "[\"wet\",\"garden_hose\"]")
            + row("sun", SUN, "[]")
            + "{\"id\":\"wet\",\"document\":{\"text\":\""
            + WET
            + "\"}}\n");
    try (SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(
                SimulatorOptions.DEFAULTS.withAnswers(file).withSpeed(Double.POSITIVE_INFINITY));
        Client client = new Client(endpoint)) {
      assertThat(client.answer(pair(RAIN, WET)).path("satisfied").asBoolean()).isTrue();
      assertThat(client.answer(pair(SUN, WET)).path("satisfied").asBoolean()).isFalse();
      assertThat(
              client
                  .answer(pair(RAIN, "{\"label\":\"garden_hose\"}"))
                  .path("satisfied")
                  .asBoolean())
          .isTrue();
    }
  }

  @Test
  void theMostQuotedDocumentDecidesAFilter() throws IOException {
    String letterhead =
        "Sent by the office of weather affairs, third floor, room twelve, Northgate.";
    Path file = folder.resolve("letters.jsonl");
    Files.writeString(
        file, row("rain", letterhead + " " + RAIN, "true") + row("sun", letterhead, "false"));
    try (SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(
                SimulatorOptions.DEFAULTS.withAnswers(file).withSpeed(Double.POSITIVE_INFINITY));
        Client client = new Client(endpoint)) {
      assertThat(
              client
                  .answer(pair(letterhead + " " + RAIN, letterhead))
                  .path("satisfied")
                  .asBoolean())
          .isTrue();
    }
  }
}

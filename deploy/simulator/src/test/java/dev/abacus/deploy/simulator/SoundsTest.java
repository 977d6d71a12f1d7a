package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.simulator.provider.Provider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sounds in requests. The simulator does not listen: it knows a sound by its bytes. */
class SoundsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  private static String sound(int number) {
    byte[] mp3 = ("ID3 recording " + number).getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(mp3);
  }

  private static String request(int number, String format) {
    return """
    {"model": "gpt-4o", "temperature": 0, "messages": [
      {"role": "system", "content": "<instruction>Which animal is heard?</instruction>"},
      {"role": "user", "content": [
        {"type": "text", "text": "<document>\\n<field name=\\"content\\">(sound 1)</field>\\n</document>"},
        {"type": "input_audio", "input_audio": {"data": "%s", "format": "%s"}}]}],
     "response_format": {"type": "json_schema", "json_schema": {"name": "map_output", "strict": true, "schema":
       {"type": "object", "properties": {"animal": {"type": "string"}}, "required": ["animal"], "additionalProperties": false}}}}
    """
        .formatted(sound(number), format);
  }

  private SimulatorOptions options() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      lines.append(
          """
          {"id": "%d", "document": {"content": {"mediaType": "audio/mpeg", "bytes": "%s"}}, "answers": {"animal": "animal %d"}, "difficulty": {"animal": 0}}
          """
              .formatted(i, sound(i), i));
    }
    return SimulatorOptions.DEFAULTS
        .withAnswers(Files.writeString(folder.resolve("answers.jsonl"), lines))
        .withSpeed(Double.POSITIVE_INFINITY);
  }

  @Test
  void aSoundHasTheAnswersOfItsTruth() throws Exception {
    int right = 0;
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options());
        Client client = new Client(endpoint)) {
      for (int i = 0; i < 20; i++) {
        JsonNode response =
            JSON.readTree(client.post("/chat/completions", request(i, "mp3")).body());
        assertThat(response.at("/usage/prompt_tokens_details/audio_tokens").asInt()).isEqualTo(1);
        String answer = response.at("/choices/0/message/content").asText();
        right += answer.equals("{\"animal\":\"animal %d\"}".formatted(i)) ? 1 : 0;
      }
    }
    assertThat(right).isGreaterThan(15);
  }

  @Test
  void otherFormatsAndModelsThatDoNotHearAreRefused() throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options());
        Client client = new Client(endpoint)) {
      assertThat(client.post("/chat/completions", request(1, "ogg")).body())
          .contains("Supported values are: 'wav' and 'mp3'");
    }
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options().like(Provider.OPENAI));
        Client client = new Client(endpoint)) {
      String key = "Bearer x";
      assertThat(client.post("/chat/completions", request(1, "mp3"), "Authorization", key).body())
          .contains("input_audio is not supported by this model");
    }
  }
}

package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that is to be cheap says nothing of learning; the endpoint counts its calls. */
@Order(1)
class LearnsUnaskedIT {

  private static final int DOCUMENTS = 1_600;
  private static final List<String> THINGS =
      List.of("lamp", "doorbell", "kettle", "heater", "camera", "speaker", "lock", "fan");

  private enum Intent {
    COMPLAINT("My %s of order %d arrived broken and does not work at all"),
    PRAISE("Thank you so much, I love the wonderful %s of order %d"),
    QUESTION("How do I pair the %s of order %d with the application on my phone?");

    private final String text;

    Intent(String text) {
      this.text = text;
    }

    static Intent of(int document) {
      return values()[document * 7919 % values().length];
    }
  }

  private final ObjectMapper json = new ObjectMapper();

  @TempDir private Path folder;

  private static String message(int number) {
    return "{\"id\": \"m%d\", \"text\": \"%s\"}"
        .formatted(
            number,
            Intent.of(number)
                .text
                .formatted(THINGS.get(number / 3 % THINGS.size()), 100_000 + number * 37));
  }

  private Path write(String name, int from, int to, String line) throws Exception {
    List<String> lines = new ArrayList<>();
    for (int i = from; i < to; i++) {
      lines.add(line.formatted(i, message(i), Intent.of(i).name().toLowerCase(Locale.ROOT)));
    }
    return Files.write(folder.resolve(name), lines);
  }

  @Test
  void itsEndpointIsNotAskedAboutEachDocument() throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("program.yaml"),
            """
            program: cheap
            sources: { messages: { topic: cheap.in, format: json, key: id } }
            operators:
              - map: classify
                instruction: Say what the customer wants.
                reads: [text]
                writes: { intent: { type: string, enum: [complaint, praise, question] } }
            results: { topic: cheap.out, format: json }
            objective: minimize cost subject to quality >= 0.7
            budget: { samples: 20 }
            validation: { topic: cheap.validation, metrics: { classify.intent: exact } }
            models: [gpt-4o-mini]
            """);
    int all = DOCUMENTS + 40;
    Path answers =
        write(
            "answers.jsonl",
            0,
            all,
            "{\"id\": \"m%d\", \"document\": %s, \"answers\": {\"intent\": \"%s\"},"
                + " \"difficulty\": {\"intent\": 0}}");
    Path documents = write("documents.jsonl", 0, DOCUMENTS, "%2$s");
    Path examples =
        write(
            "validation.jsonl",
            DOCUMENTS,
            all,
            "{\"id\": \"v%d\", \"source\": \"messages\", \"document\": %s,"
                + " \"labels\": {\"classify\": {\"intent\": \"%s\"}}}");
    Path results = folder.resolve("results.jsonl");
    SimulatorOptions options =
        SimulatorOptions.DEFAULTS.withAnswers(answers).withLatency(Duration.ofMillis(50));
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options)) {
      Run run =
          Run.of(
              "run",
              program.toString(),
              "--local",
              "--model-endpoint",
              endpoint.baseUri().toString(),
              "--documents",
              documents.toString(),
              "--validation",
              examples.toString(),
              "--results",
              results.toString(),
              "-X",
              "abacus.in.flight=4",
              "-o",
              "json");

      assertThat(run.exit()).as(run.err()).isZero();
      JsonNode statistics = endpoint.statistics();
      assertThat(statistics.at("/models/gpt-4o-mini/calls").asInt())
          .as("calls, those of the search included")
          .isLessThan(DOCUMENTS * 3 / 4);
      JsonNode summary = json.readTree(run.out());
      JsonNode learning = summary.at("/learning/0");
      assertThat(learning.path("answering").asBoolean()).isTrue();
      // The plan may ask about several documents in a call, so calls alone do not show it.
      assertThat(learning.path("withoutCall").asDouble())
          .as("share of the documents without a call: %s", learning)
          .isBetween(0.25, 0.9);
      assertThat(summary.path("costPerDocumentUsd").asDouble())
          .as("USD per document, of which many need no call")
          .isLessThan(0.8 * summary.path("promisedCostPerDocumentUsd").asDouble());
      long right = 0;
      List<String> lines = Files.readAllLines(results);
      for (String line : lines) {
        JsonNode result = json.readTree(line);
        int number = Integer.parseInt(result.path("id").asText().substring(1));
        right +=
            result.path("intent").asText().equals(Intent.of(number).name().toLowerCase(Locale.ROOT))
                ? 1
                : 0;
      }
      assertThat(lines).hasSize(DOCUMENTS);
      assertThat(right / (double) DOCUMENTS).as("right answers").isGreaterThan(0.95);
    }
  }
}

package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.limit.RateLimit;
import dev.abacus.deploy.simulator.provider.Provider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code abacus run --local} with endpoints that limit and refuse like those of providers. */
@Order(1)
class RunStrictIT {

  private static final Path SAMPLE = Path.of("../examples/support-triage");
  private static final SimulatorOptions OPTIONS =
      SimulatorOptions.DEFAULTS.withAnswers(SAMPLE.resolve("answers.jsonl"));

  /** No judge is needed. */
  private static final String BY_LABELS =
      "validation: { topic: strict.validation, metrics: { classify.intent: exact, classify.urgency: numeric(1) } }";

  private final ObjectMapper json = new ObjectMapper();

  @TempDir private Path folder;

  /** A map with one label; {@code more} are further lines. */
  private Path program(String models, String more) throws IOException {
    return Files.writeString(
        folder.resolve("program.yaml"),
        """
        program: strict
        sources: { messages: { topic: strict.in, format: json, key: id } }
        operators:
          - map: classify
            instruction: Decide what the customer wants.
            reads: [text]
            writes:
              intent:
                type: string
                enum: [delivery_delay, damaged_item, wrong_item, missing_parts, device_malfunction,
                  app_or_account, refund_request, return_request, warranty_claim, billing_error,
                  order_change, product_question, praise, other]
              urgency: { type: integer, minimum: 1, maximum: 5 }
        results: { topic: strict.out, format: json }
        models: [%s]
        %s
        """
            .formatted(models, more));
  }

  private Path documents(int number) throws IOException {
    return Files.write(
        folder.resolve("documents.jsonl"),
        Files.readAllLines(SAMPLE.resolve("documents.jsonl")).subList(0, number));
  }

  /** Validation examples with the labels of the program's operator only. */
  private Path examples() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(SAMPLE.resolve("validation.jsonl"))) {
      ObjectNode example = (ObjectNode) json.readTree(line);
      ((ObjectNode) example.path("labels")).retain("classify");
      lines.add(example.toString());
    }
    return Files.write(folder.resolve("validation.jsonl"), lines);
  }

  private Run run(SimulatedEndpoint endpoint, Path program, Path documents, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                program.toString(),
                "--local",
                "--model-endpoint",
                endpoint.baseUri().toString(),
                "--documents",
                documents.toString(),
                "--results",
                folder.resolve("results.jsonl").toString(),
                "-o",
                "json"));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @EnumSource(names = {"OPENAI", "AZURE", "VLLM", "OLLAMA"})
  void aProgramRunsAgainstEachProvider(Provider provider) throws Exception {
    String models = provider.servesOpenAiModels() ? "gpt-4o-mini" : "llama-3.1-8b";
    Duration latency = Duration.ofMillis(50);
    try (SimulatedEndpoint endpoint =
        SimulatedEndpoint.start(OPTIONS.like(provider).withLatency(latency))) {
      Run run =
          run(
              endpoint,
              program(models, "objective: minimize cost\nbudget: { samples: 4 }\n" + BY_LABELS),
              documents(24),
              "--validation",
              examples().toString(),
              "-X",
              "abacus.in.flight=2");

      assertThat(run.exit()).as(run.err()).isZero();
      JsonNode summary = json.readTree(run.out());
      assertThat(summary.path("results").asInt()).isEqualTo(24);
      assertThat(summary.path("deadLetters").asInt()).isZero();
      assertThat(endpoint.statistics().path("mostInFlight").asInt())
          .as("calls in flight: one that waited for the model may come on top")
          .isBetween(1, 3);
      assertThat(endpoint.statistics().path("usd").asDouble())
          .as("what the provider charges is what the run states")
          .isCloseTo(
              summary.path("costUsd").asDouble() + summary.path("searchCostUsd").asDouble(),
              withinPercentage(1));
    }
  }

  @Test
  void aMissingJudgeEndsTheRunWithItsNameAndTheRemedy() throws Exception {
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(OPTIONS.like(Provider.OPENAI))) {
      endpoint.state().change(options -> options.withModels(Set.of("gpt-4o-mini")));
      Run run =
          run(
              endpoint,
              program("gpt-4o-mini", "budget: { samples: 4 }"),
              documents(4),
              "--patience",
              "25");

      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.err())
          .contains("judge 'o4-mini' is not served", "name another one with 'judge:'");
      assertThat(endpoint.statistics().path("usd").asDouble()).isZero();
    }
  }

  /** Figures of a search: the accuracy of the results, and the number of epochs. */
  private record Outcome(double accuracy, long epoch, String plan, int limited) {}

  private Outcome search(RateLimit limit) throws Exception {
    SimulatorOptions options = OPTIONS.like(Provider.OPENAI).withSpeed(20).withRateLimit(limit);
    try (SimulatedEndpoint endpoint = SimulatedEndpoint.start(options)) {
      Run run =
          run(
              endpoint,
              program(
                  "gpt-4.1, llama-3.1-8b",
                  "objective: maximize quality\nbudget: { samples: 40 }\n" + BY_LABELS),
              documents(48),
              "--validation",
              examples().toString());
      assertThat(run.exit()).as(run.err()).isZero();
      JsonNode summary = json.readTree(run.out());
      assertThat(summary.path("deadLetters").asInt()).isZero();
      return new Outcome(
          accuracy(),
          summary.path("epoch").asLong(),
          summary.at("/plan/plan/operators").toString(),
          endpoint.statistics().at("/models/gpt-4.1/limited").asInt());
    }
  }

  /** The share of results with the right intent. */
  private double accuracy() throws IOException {
    List<String> right = new ArrayList<>();
    for (String line : Files.readAllLines(SAMPLE.resolve("answers.jsonl"))) {
      JsonNode known = json.readTree(line);
      right.add(known.path("id").asText() + " " + known.at("/answers/intent").asText());
    }
    List<String> results = Files.readAllLines(folder.resolve("results.jsonl"));
    long hits = 0;
    for (String line : results) {
      JsonNode result = json.readTree(line);
      hits +=
          right.contains(result.path("id").asText() + " " + result.path("intent").asText()) ? 1 : 0;
    }
    return hits / (double) results.size();
  }

  @Test
  void aLimitedModelIsNoWorseInASearch() throws Exception {
    Outcome free = search(RateLimit.NONE);
    Outcome limited = search(RateLimit.NONE.withModel("gpt-4.1", 600).withWindowMs(1000));

    System.out.printf("FIGURES search without limit: %s%n", free);
    System.out.printf("FIGURES search with a limited model: %s%n", limited);
    // The standard error of an accuracy over 48 documents is at most 0.072.
    assertThat(limited.accuracy()).isGreaterThan(free.accuracy() - 0.15);
    // Two searches without a limit differ by a few plans too: 7 to 12 were seen.
    assertThat(limited.epoch()).as("epochs").isLessThanOrEqualTo(2 * free.epoch());
  }
}

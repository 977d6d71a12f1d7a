package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The watermark at the end of the input is a day ahead of the clock of the broker. */
class RunLongWindowIT {

  private static final int DOCUMENTS = 20;
  private static final int GROUPS = 4;

  private static final String PROGRAM =
      """
      program: daily
      sources: { messages: { topic: daily.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
        - aggregate: summary
          by: [who]
          window: { tumbling: 24h, grace: 5m }
          instruction: Summarise the messages.
          writes: { summary: { type: string } }
          compute: { n: count }
        - aggregate: overall
          window: { tumbling: 24h }
          compute: { groups: count, total: sum(n) }
      results: { topic: daily.out }
      models: [gpt-4o-mini]
      budget: { samples: 20 }
      """;

  private final ObjectMapper json = new ObjectMapper();

  @Test
  @Timeout(120)
  void windowsOfADayCloseAtTheEndOfTheInput(@TempDir Path folder) throws Exception {
    Path program = Files.writeString(folder.resolve("program.yaml"), PROGRAM);
    Path documents =
        Files.write(
            folder.resolve("documents.jsonl"),
            IntStream.range(0, DOCUMENTS)
                .mapToObj(i ->
                    "{\"id\":\"d%d\",\"who\":\"g%d\",\"text\":\"Message %d.\"}"
                        .formatted(i, i % GROUPS, i))
                .toList());
    Path results = folder.resolve("results.jsonl");
    try (SimulatedEndpoint endpoint =
        SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(20)))) {
      Run run =
          Run.of(
              "run",
              program.toString(),
              "--local",
              "--model-endpoint",
              endpoint.baseUri().toString(),
              "--documents",
              documents.toString(),
              "--results",
              results.toString(),
              "-o",
              "json");

      assertThat(run.exit()).as(run.err()).isZero();
      List<String> lines = Files.readAllLines(results);
      assertThat(lines).hasSize(1);
      JsonNode day = json.readTree(lines.getFirst());
      assertThat(day.path("groups").asInt()).isEqualTo(GROUPS);
      assertThat(day.path("total").asInt()).isEqualTo(DOCUMENTS);
    }
  }
}

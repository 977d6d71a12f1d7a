package dev.abacus.deploy.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.tools.ConsoleProducer;
import org.apache.kafka.tools.consumer.ConsoleConsumer;
import org.junit.jupiter.api.Test;

/** A request for a label is read and answered with the console tools of Kafka. */
class ReviewConsoleIT {

  private static final String PROGRAM = "reviewed";
  private static final String SOURCE = "reviewed-messages";
  private static final String FEEDBACK = "reviewed-feedback";

  private static void createTopics(String servers) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.createTopics(List.of(new NewTopic(SOURCE, 1, (short) 1))).all().get();
    }
  }

  /** Runs a tool as its script does: in a JVM of its own. */
  private static String run(Class<?> tool, String input, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                tool.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var stream = process.getOutputStream()) {
      stream.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  private static void apply(FakeDataPlane plane) throws Exception {
    for (int i = 0; i < 20; i++) {
      plane.produce(SOURCE, "d" + i, "{\"id\": \"d%d\", \"text\": \"message %d\"}".formatted(i, i));
    }
    plane.produce(
        KafkaNames.UNPREFIXED.control(),
        "program/" + PROGRAM,
        """
        {"program": "%s",
         "sources": {"messages": {"topic": "%s", "format": "json", "key": "id"}},
         "operators": [
           {"filter": "is-problem", "input": "messages", "condition": "Something went wrong.",
            "reads": ["text"]}],
         "results": {"topic": "reviewed-results", "format": "json"},
         "budget": {"samples": 60},
         "validation": {"feedback": "%s"},
         "learning": {"review": 3},
         "models": ["gpt-4o", "gpt-4o-mini"]}
        """
            .formatted(PROGRAM, SOURCE, FEEDBACK));
  }

  private static List<String> labelledSamples(FakeDataPlane plane, String position) {
    return plane.values(PROGRAM + ".samples", "").stream()
        .filter(task -> task.contains("stream:" + position) && task.contains("\"label\":false"))
        .toList();
  }

  @Test
  void aLabelIsAskedForAndGivenOnTheConsole() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        FakeDataPlane plane = new FakeDataPlane(kafka.bootstrapServers())) {
      String servers = kafka.bootstrapServers();
      createTopics(servers);
      OptimizerService optimizer =
          OptimizerService.start(
              new OptimizerConfig(
                  Map.of(
                      "bootstrap.servers", servers,
                      "optimizer.status.interval.ms", "1000",
                      "optimizer.stream.examples.after.ms", "1000")));
      try (optimizer) {
        assertThat(optimizer.awaitReady(Duration.ofMinutes(3))).isTrue();
        apply(plane);
        plane.workUntil("a request", () -> !plane.values(PROGRAM + ".review", "").isEmpty());

        String[] request =
            run(
                    ConsoleConsumer.class,
                    "",
                    "--bootstrap-server",
                    servers,
                    "--topic",
                    PROGRAM + ".review",
                    "--from-beginning",
                    "--max-messages",
                    "1",
                    "--formatter-property",
                    "print.headers=true")
                .strip()
                .split("\t", -1);
        String header = request[0];
        JsonNode value = Json.read(request[1].getBytes(StandardCharsets.UTF_8), JsonNode.class);
        assertThat(header).startsWith("abacus-source:" + SOURCE + "-0@");
        assertThat(value.at("/operator/condition").asText()).isEqualTo("Something went wrong.");
        assertThat(value.at("/document/text").asText()).startsWith("message ");

        run(
            ConsoleProducer.class,
            header + "\t{\"labels\": {\"is-problem\": false}}\n",
            "--bootstrap-server",
            servers,
            "--topic",
            FEEDBACK,
            "--reader-property",
            "parse.headers=true");
        String position = header.substring("abacus-source:".length());
        plane.workUntil(
            "the label",
            () ->
                plane.values(PROGRAM + ".validation", "stream:" + position).stream()
                    .anyMatch(example -> example.contains("\"labels\":{\"is-problem\":false}")));
        plane.produce(KafkaNames.UNPREFIXED.control(), "reoptimize/" + PROGRAM, "\"again\"");
        plane.workUntil("a sample with it", () -> !labelledSamples(plane, position).isEmpty());
        plane.workUntil(
            "status",
            () ->
                Objects.requireNonNull(
                        plane
                            .values(KafkaNames.UNPREFIXED.status(), PROGRAM + "/optimizer")
                            .getLast())
                    .contains("\"answered\":1"));
        assertThat(optimizer.failure()).isNotDone();
      }
    }
  }
}

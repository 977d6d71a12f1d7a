package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.Worker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that ask the same question about the same documents, before and after a restart, and one
 * with another schema: the book of the endpoint says which calls were made.
 */
class AnswerStoreIT {

  private static final int DOCUMENTS = 30;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path folder;

  private final Map<String, List<ConsumerRecord<String, String>>> results = new HashMap<>();

  private static String program(String name, String type) {
    return """
    program: %1$s
    sources: { messages: { topic: answers.in } }
    operators:
      - map: topic
        instruction: What is the message about?
        reads: [text]
        writes: { topic: { type: %2$s } }
    results: { topic: %1$s.out }
    models: [gpt-4o-mini]
    """
        .formatted(name, type);
  }

  @Test
  void programsAndRestartsPayOnceForARequest() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(
                SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(300)))) {
      try (RunningProgram first = open(kafka, "first", "string");
          RunningProgram second = open(kafka, "second", "string")) {
        for (int i = 0; i < DOCUMENTS; i++) {
          first.send(0, null, "key-" + i, "{\"text\":\"Message %d.\"}".formatted(i));
        }
        try (Worker _ = worker(kafka, endpoint, "before")) {
          read(first, "first");
          read(second, "second");
          assertThat(calls(endpoint)).as("two programs at the same time").isEqualTo(DOCUMENTS);
          assertThat(stored("first") + stored("second")).isEqualTo(DOCUMENTS);
        }
      }
      try (RunningProgram third = open(kafka, "third", "string");
          RunningProgram other = open(kafka, "other", "number");
          Worker _ = worker(kafka, endpoint, "after")) {
        read(third, "third");
        read(other, "other");
        assertThat(stored("third")).as("after a restart without local state").isEqualTo(DOCUMENTS);
        assertThat(values("third")).containsExactlyInAnyOrderElementsOf(values("first"));
        assertThat(stored("other")).as("another schema").isZero();
        assertThat(calls(endpoint)).isEqualTo(2 * DOCUMENTS);
      }
    }
  }

  private static RunningProgram open(LocalKafka kafka, String name, String type) throws Exception {
    return RunningProgram.open(kafka, program(name, type), 1, Map.of());
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint endpoint, String state)
      throws InterruptedException {
    return RunningProgram.worker(
        kafka, endpoint, folder.resolve(state), Map.of("abacus.answers.max.age.ms", "3600000"));
  }

  private void read(RunningProgram program, String name) {
    List<ConsumerRecord<String, String>> read = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (KafkaConsumer<String, String> outputs = program.outputs()) {
      while (read.size() < DOCUMENTS) {
        assertThat(System.nanoTime())
            .as("%s results of %s", read.size(), name)
            .isLessThan(deadline);
        outputs.poll(Duration.ofMillis(50)).forEach(read::add);
      }
    }
    assertThat(read).allSatisfy(record -> assertThat(record.topic()).isEqualTo(name + ".out"));
    results.put(name, read);
  }

  private List<String> values(String name) {
    return results.get(name).stream().map(ConsumerRecord::value).toList();
  }

  /** Number of results whose call was saved; their cost is 0. */
  private long stored(String name) {
    return results.get(name).stream()
        .filter(record -> header(record, Headers.TOKENS).contains(" stored="))
        .peek(record -> assertThat(header(record, Headers.COST_USD)).isEqualTo("0"))
        .count();
  }

  private static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static int calls(SimulatedEndpoint endpoint) throws Exception {
    return RunningProgram.statistics(endpoint).path("calls").asInt();
  }
}

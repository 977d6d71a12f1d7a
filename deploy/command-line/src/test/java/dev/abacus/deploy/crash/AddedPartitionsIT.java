package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.topology.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A source gets more partitions while documents flow and windows are open: documents of the new
 * partitions are processed, and an open window is continued.
 */
class AddedPartitionsIT {

  private static final int BEFORE = 2;
  private static final int AFTER = 5;
  private static final int GROUPS = 7;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Instant OPENED = Instant.parse("2026-03-01T10:10:00Z");

  private static final String PROGRAM =
      """
      program: growing
      sources: { messages: { topic: growing.in } }
      results: { topic: growing.out }
      models: [gpt-4o-mini]
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
        - aggregate: hourly
          by: [group]
          window: { tumbling: 1h }
          compute: { members: list(number) }
      """;

  @TempDir Path folder;

  private final ObjectMapper json = new ObjectMapper();

  /** The members in each result of the window, by group. */
  private final Map<Integer, List<List<Integer>>> windows = new HashMap<>();

  private int sent;

  @ParameterizedTest
  @ValueSource(strings = {"classic", "streams"})
  void eachDocumentIsInTheOneWindowOfItsGroup(String protocol) throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(200)));
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, BEFORE, Map.of());
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        Worker _ = worker(kafka, endpoint, "one", protocol);
        Worker _ = worker(kafka, endpoint, "two", protocol);
        KafkaConsumer<String, String> outputs = program.outputs()) {
      send(program, BEFORE, 100, OPENED);
      awaitCalls(endpoint, 60);

      // It waits for the leaders: an idempotent producer does not recover from sending earlier.
      TopicSetup.grow(admin, Map.of("growing.in", AFTER));
      send(program, AFTER, 200, OPENED);
      awaitCalls(endpoint, sent);

      int members = sent;
      // The window closes by documents of later ones.
      send(program, AFTER, AFTER * GROUPS, OPENED.plus(Duration.ofHours(3)));
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (windows.size() < GROUPS) {
        assertThat(System.nanoTime()).as("%s", windows).isLessThan(deadline);
        outputs.poll(Duration.ofMillis(100)).forEach(this::take);
      }
      outputs.poll(Duration.ofSeconds(1)).forEach(this::take);

      assertThat(windows.values())
          .as("results of a group")
          .allMatch(results -> results.size() == 1);
      assertThat(windows.values().stream().flatMap(List::stream).flatMap(List::stream))
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, members).boxed().toList());
    }
  }

  private void send(RunningProgram program, int partitions, int documents, Instant at) {
    for (int i = 0; i < documents; i++) {
      program.send(
          sent % partitions,
          at.toEpochMilli(),
          "k" + sent,
          "{\"number\":%d,\"group\":%d,\"text\":\"t%d\"}".formatted(sent, sent % GROUPS, sent));
      sent++;
    }
  }

  private static void awaitCalls(SimulatedEndpoint endpoint, int calls) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    long made = 0;
    while (made < calls) {
      assertThat(System.nanoTime()).as("%d of %d calls", made, calls).isLessThan(deadline);
      Thread.sleep(100);
      made = RunningProgram.statistics(endpoint).path("calls").asLong();
    }
  }

  private void take(ConsumerRecord<String, String> record) {
    try {
      assertThat(record.topic()).as(record.value()).isEqualTo("growing.out");
      JsonNode value = json.readTree(record.value());
      List<Integer> members = new ArrayList<>();
      value.path("members").forEach(member -> members.add(member.asInt()));
      windows.computeIfAbsent(value.path("group").asInt(), _ -> new ArrayList<>()).add(members);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint endpoint, String name, String protocol)
      throws InterruptedException {
    return RunningProgram.worker(
        kafka,
        endpoint,
        folder.resolve(name),
        Map.of("group.protocol", protocol, "abacus.instance.id", name));
  }
}

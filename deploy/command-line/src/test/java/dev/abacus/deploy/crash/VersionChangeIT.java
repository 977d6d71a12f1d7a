package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A program loses its aggregate while documents flow through two workers: the old version closes
 * its window, and each document is in exactly one result.
 */
class VersionChangeIT {

  private static final int PARTITIONS = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final String MAP =
      """
      program: shape
      sources: { messages: { topic: shape.in } }
      results: { topic: shape.out }
      models: [gpt-4o-mini]
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      """;
  private static final String GROUPED =
      MAP
          + """
            - aggregate: hourly
              window: { tumbling: 1h }
              compute: { members: list(number) }
          """;

  @TempDir Path folder;

  private final ObjectMapper json = new ObjectMapper();
  private final List<Integer> single = new ArrayList<>();
  private final List<Integer> grouped = new ArrayList<>();
  private int sent;

  @ParameterizedTest
  @ValueSource(strings = {"classic", "streams"})
  void eachDocumentIsInOneResultWhileTheShapeChanges(String protocol) throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(200)));
        RunningProgram program = RunningProgram.open(kafka, GROUPED, PARTITIONS, Map.of());
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        Worker _ = worker(kafka, endpoint, "one", protocol);
        Worker _ = worker(kafka, endpoint, "two", protocol);
        KafkaConsumer<String, String> outputs = program.outputs()) {
      flowUntil(program, outputs, () -> consumed(admin) > 50);
      program.become(MAP, 2);
      flowUntil(program, outputs, () -> !grouped.isEmpty() && single.size() > 50);
      awaitAll(outputs);
      awaitRetired(admin, protocol);
    }
    assertEachOnce();
  }

  /** Nothing happens any more that could remind the workers of the version that has ended. */
  private static void awaitRetired(Admin admin, String protocol) throws Exception {
    String old = KafkaNames.UNPREFIXED.application("shape");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (members(admin, old, protocol) > 0) {
      assertThat(System.nanoTime()).as("members of " + old).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
  }

  private static int members(Admin admin, String group, String protocol) throws Exception {
    List<String> groups = List.of(group);
    return protocol.equals("streams")
        ? admin.describeStreamsGroups(groups).all().get().get(group).members().size()
        : admin.describeConsumerGroups(groups).all().get().get(group).members().size();
  }

  /** By hand, since it takes minutes: the processes of workers are killed during the changes. */
  @Test
  @EnabledIfSystemProperty(named = "abacus.version.kills", matches = "true")
  void eachDocumentIsInOneResultIfWorkersAreKilledMeanwhile() throws Exception {
    Random random = new Random(Long.getLong("abacus.version.seed", 1));
    List<PlaneProcess> workers = new ArrayList<>();
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(200)));
        RunningProgram program = RunningProgram.open(kafka, GROUPED, PARTITIONS, Map.of());
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        KafkaConsumer<String, String> outputs = program.outputs()) {
      for (String name : List.of("one", "two")) {
        workers.add(process(kafka, endpoint, name));
      }
      flowUntil(program, outputs, () -> consumed(admin) > 50);
      for (int change = 2; change <= 7; change++) {
        program.become(change % 2 == 0 ? MAP : GROUPED, change);
        flowFor(program, outputs, Duration.ofMillis(random.nextInt(5_000)));
        int which = random.nextInt(workers.size());
        if (change % 3 == 0) {
          workers.get(which).freeze();
          flowFor(program, outputs, Duration.ofSeconds(12));
          workers.get(which).thaw();
        } else {
          workers.get(which).kill();
          workers.set(which, process(kafka, endpoint, which == 0 ? "one" : "two"));
        }
        flowFor(program, outputs, Duration.ofSeconds(random.nextInt(12)));
      }
      program.become(MAP, 8);
      awaitAll(outputs);
    } finally {
      workers.forEach(PlaneProcess::close);
    }
    assertEachOnce();
  }

  private void flowFor(RunningProgram program, KafkaConsumer<String, String> outputs, Duration time)
      throws Exception {
    long end = System.nanoTime() + time.toNanos();
    flowUntil(program, outputs, () -> System.nanoTime() - end > 0);
  }

  private void awaitAll(KafkaConsumer<String, String> outputs) {
    long deadline = System.nanoTime() + 2 * PATIENCE.toNanos();
    while (single.size() + grouped.size() < sent && System.nanoTime() - deadline < 0) {
      outputs.poll(Duration.ofMillis(100)).forEach(this::take);
    }
    // Whatever would still come out would be too much.
    outputs.poll(Duration.ofSeconds(1)).forEach(this::take);
  }

  private void assertEachOnce() {
    List<Integer> all = new ArrayList<>(single);
    all.addAll(grouped);
    assertThat(all).containsExactlyInAnyOrderElementsOf(IntStream.range(0, sent).boxed().toList());
  }

  /** A condition that may ask the broker. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private void flowUntil(
      RunningProgram program, KafkaConsumer<String, String> outputs, Condition condition)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime())
          .as("%d sent, %d results, %d in groups", sent, single.size(), grouped.size())
          .isLessThan(deadline);
      for (int i = 0; i < 10; i++) {
        program.send(
            sent % PARTITIONS, null, "k" + sent, "{\"number\":%d,\"text\":\"t\"}".formatted(sent));
        sent++;
      }
      outputs.poll(Duration.ofMillis(100)).forEach(this::take);
    }
  }

  /** Documents that the first version has admitted. */
  private static long consumed(Admin admin) throws Exception {
    return admin
        .listConsumerGroupOffsets(KafkaNames.UNPREFIXED.application("shape"))
        .partitionsToOffsetAndMetadata()
        .get()
        .entrySet()
        .stream()
        .filter(entry -> entry.getKey().topic().equals("shape.in") && entry.getValue() != null)
        .mapToLong(entry -> entry.getValue().offset())
        .sum();
  }

  private void take(ConsumerRecord<String, String> record) {
    try {
      JsonNode value = json.readTree(record.value());
      assertThat(record.topic()).as(record.value()).isEqualTo("shape.out");
      if (value.has("members")) {
        value.path("members").forEach(member -> grouped.add(member.asInt()));
      } else {
        single.add(value.path("number").asInt());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint endpoint, String name, String protocol)
      throws InterruptedException {
    return Worker.start(new WorkerConfig(properties(kafka, endpoint, name, protocol)));
  }

  private PlaneProcess process(LocalKafka kafka, SimulatedEndpoint endpoint, String name)
      throws IOException {
    return PlaneProcess.worker(
        properties(kafka, endpoint, name, "classic"), folder.resolve(name + ".log"));
  }

  private Map<String, String> properties(
      LocalKafka kafka, SimulatedEndpoint endpoint, String name, String protocol) {
    return RunningProgram.workerSettings(
        kafka,
        endpoint,
        folder.resolve(name),
        Map.of(
            "group.protocol", protocol,
            "abacus.instance.id", name,
            "session.timeout.ms", "10000"));
  }
}

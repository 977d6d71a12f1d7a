package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.local.Ports;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.kafka.KafkaNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Large documents arrive while the endpoint of the models is away, in a worker of 300 MB. Set
 * {@code abacus.outage.seconds}, {@code .partitions} and {@code .documents} for a longer outage.
 */
class OutageIT {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration QUIET =
      Duration.ofSeconds(Integer.getInteger("abacus.outage.seconds", 10));
  private static final int PARTITIONS = Integer.getInteger("abacus.outage.partitions", 4);
  private static final int DOCUMENTS = Integer.getInteger("abacus.outage.documents", 240);
  private static final int BYTES = 500_000;

  /** A sixteenth of the heap, and what was fetched before the partitions were held. */
  private static final int MOST_ADMITTED = 120;

  private static final String PROGRAM =
      """
      program: outage
      sources: { messages: { topic: outage.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
        - project: [number, topic]
      results: { topic: outage.out }
      models: [gpt-4o-mini]
      """;

  @TempDir private Path folder;

  @Test
  void admissionStopsAndAfterAKillEachDocumentHasAResult() throws Exception {
    int port = Ports.free();
    try (LocalKafka kafka = LocalKafka.start();
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, PARTITIONS, Map.of());
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        KafkaConsumer<String, String> outputs = program.outputs()) {
      String payload = "x".repeat(BYTES);
      for (int i = 0; i < DOCUMENTS; i++) {
        program.send(
            i % PARTITIONS,
            null,
            "k" + i,
            "{\"number\":%d,\"text\":\"t%d\",\"payload\":\"%s\"}".formatted(i, i, payload));
      }
      long admitted;
      try (PlaneProcess worker = worker(kafka, port)) {
        admitted = awaitNoFurtherAdmission(admin);
        assertThat(worker.isAlive()).isTrue();
        worker.kill();
      }
      assertThat(admitted).isBetween(1L, (long) MOST_ADMITTED);
      System.out.printf("%d documents admitted, %,d bytes of state%n", admitted, stateBytes());

      Set<String> results = new HashSet<>();
      try (SimulatedEndpoint _ =
              SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withPort(port).withSpeed(20));
          PlaneProcess _ = worker(kafka, port)) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (results.size() < DOCUMENTS) {
          assertThat(System.nanoTime()).as("%d results", results.size()).isLessThan(deadline);
          outputs
              .poll(Duration.ofMillis(100))
              .forEach(record -> assertThat(results.add(record.key())).isTrue());
        }
      }
    }
  }

  /** Number of documents that are admitted when no further one is for some time. */
  private static long awaitNoFurtherAdmission(Admin admin) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.plus(QUIET).toNanos();
    long known = 0;
    long since = System.nanoTime();
    while (known == 0 || System.nanoTime() - since < QUIET.toNanos()) {
      assertThat(System.nanoTime()).as("%d admitted", known).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      long now = admitted(admin);
      since = now == known ? since : System.nanoTime();
      known = now;
    }
    return known;
  }

  private long stateBytes() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("state"))) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static long admitted(Admin admin) throws Exception {
    return admin
        .listConsumerGroupOffsets(KafkaNames.UNPREFIXED.application("outage"))
        .partitionsToOffsetAndMetadata()
        .get()
        .values()
        .stream()
        .filter(Objects::nonNull)
        .mapToLong(offset -> offset.offset())
        .sum();
  }

  private PlaneProcess worker(LocalKafka kafka, int port) throws IOException {
    return PlaneProcess.worker(
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "state.dir",
            folder.resolve("state").toString(),
            "session.timeout.ms",
            "10000",
            "abacus.model.endpoint",
            "http://127.0.0.1:" + port + "/v1",
            "auto.offset.reset",
            "earliest"),
        folder.resolve("worker.log"));
  }
}

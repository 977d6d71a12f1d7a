package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.local.Ports;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.schemas.monitor.SourceLag;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The signal that starts the first worker, with a producer of transactions. */
class BacklogIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String PROGRAM =
      """
      program: idle
      sources: { messages: { topic: idle.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: idle.out }
      models: [gpt-4o-mini]
      """;

  @TempDir private Path folder;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void documentsCountWithoutAWorkerAndMarkersDoNot() throws Exception {
    String listener = "127.0.0.1:" + Ports.free();
    URI metrics = URI.create("http://" + listener + "/metrics");
    try (LocalKafka kafka = LocalKafka.start();
        RunningProgram _ = RunningProgram.open(kafka, PROGRAM, 2, Map.of());
        KafkaProducer<String, String> producer = producer(kafka);
        OptimizerService _ =
            OptimizerService.start(
                new OptimizerConfig(
                    Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        OptimizerConfig.HTTP_LISTENER,
                        listener,
                        OptimizerConfig.STREAM_EXAMPLES,
                        0)))) {
      producer.initTransactions();
      send(producer, 3);
      producer.abortTransaction();
      send(producer, 4);
      producer.commitTransaction();
      awaitBacklog(metrics, 4);
      assertArrivals(kafka);

      try (SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
          Worker _ = worker(kafka, models)) {
        awaitBacklog(metrics, 0);
        assertThat(RunningProgram.statistics(models).path("calls").asInt()).isEqualTo(4);
      }
    }
  }

  /** The records of the log tell how many documents arrive, with a marker for each transaction. */
  private static void assertArrivals(LocalKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      SourceLag sources = new SourceLag(admin, "none", Set.of("idle.in"));
      SourceLag missing = new SourceLag(admin, "other", Set.of("idle.in", "missing"));
      assertThat(SourceLag.query(admin, List.of(sources, missing)))
          .as("a topic that does not exist hides no other application")
          .containsOnlyKeys(sources);
      Instant now = Instant.now();
      SourceLag.Arrived arrived = sources.since(now.minus(Duration.ofDays(30)));

      assertThat(arrived.records()).isBetween(4L, 11L);
      assertThat(arrived.first()).isBetween(now.minus(PATIENCE), now);
      assertThat(sources.since(now.plusSeconds(60)).records()).isZero();
    }
  }

  private static KafkaProducer<String, String> producer(LocalKafka kafka) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "sender"),
        new StringSerializer(),
        new StringSerializer());
  }

  private static void send(KafkaProducer<String, String> producer, int documents) {
    producer.beginTransaction();
    for (int i = 0; i < documents; i++) {
      String text = "{\"text\":\"Message %d.\"}".formatted(i);
      var _ = producer.send(new ProducerRecord<>("idle.in", i % 2, "k" + i, text));
    }
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint models) throws InterruptedException {
    return RunningProgram.worker(
        kafka, models, folder.resolve("state"), Map.of(WorkerConfig.STATUS_INTERVAL_MS, "500"));
  }

  private void awaitBacklog(URI metrics, int documents) throws Exception {
    String line = "abacus_backlog_documents{program=\"idle\"} %d.0".formatted(documents);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String page;
    do {
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      page =
          http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      assertThat(System.nanoTime()).as("%s in%n%s", line, page).isLessThan(deadline);
    } while (page.lines().noneMatch(line::equals));
  }
}

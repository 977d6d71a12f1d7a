package dev.abacus.deploy.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.provider.Provider;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the promise says a document costs is what the provider charges for it, with an instruction
 * of about 3,000 tokens that an endpoint like OpenAI caches, and documents of about 200. The plan
 * makes one call for each document. The endpoint counts the dollars.
 */
class PromisedBillIT {

  private static final String NAME = "handbook";
  private static final String KEY = "sk-test";
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final int EXAMPLES = 40;
  private static final int DOCUMENTS = 120;

  @Test
  void theCostOfADocumentIsPromisedWithinFivePerCentOfTheBill(@TempDir Path folder)
      throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(
                SimulatorOptions.DEFAULTS.withSpeed(20).like(Provider.OPENAI).withApiKey(KEY));
        Worker _ = worker(kafka, endpoint, folder);
        OptimizerService optimizer =
            OptimizerService.start(
                new OptimizerConfig(
                    Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        OptimizerConfig.STREAM_EXAMPLES,
                        0)));
        Producer<byte[], byte[]> producer =
            KafkaConnection.to(kafka.bootstrapServers()).producer(Map.of())) {
      assertThat(optimizer.awaitReady(PATIENCE)).isTrue();
      KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
      ControlTopic control = new ControlTopic(connection, ModelCatalogue.builtIn());
      apply(connection, control, producer);
      awaitSearch(connection);
      PlanPromise before = promise(control, _ -> true);
      double searched = endpoint.state().account().spentUsd();

      for (int i = 0; i < DOCUMENTS; i++) {
        send(
            producer,
            NAME + ".in",
            "d" + i,
            "{\"id\":\"d%d\",\"text\":\"%s\"}".formatted(i, message(i)));
      }
      awaitResults(connection);
      double bill = (endpoint.state().account().spentUsd() - searched) / DOCUMENTS;
      PlanPromise after =
          promise(control, promise -> Math.abs(promise.cost().mean() - bill) <= 0.05 * bill);

      System.out.printf(
          "FIGURES promised %.7f before live documents, %.7f after; charged %.7f%n",
          before.cost().mean(), after.cost().mean(), bill);
      assertThat(after.cost().mean()).isCloseTo(bill, withinPercentage(5));
    }
  }

  private static Worker worker(LocalKafka kafka, SimulatedEndpoint endpoint, Path folder)
      throws Exception {
    return Worker.start(
        new WorkerConfig(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                WorkerConfig.STATE_DIR,
                folder.resolve("state").toString(),
                WorkerConfig.STATUS_INTERVAL_MS,
                200,
                // Calls that start together find nothing of each other in a cache.
                WorkerConfig.IN_FLIGHT,
                2,
                WorkerConfig.MODEL_ENDPOINT,
                endpoint.baseUri().toString(),
                WorkerConfig.MODEL_KEY,
                KEY)));
  }

  /** Words that no other text has in this order, about one token each. */
  private static String words(int seed, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "w%d".formatted((seed * 7919 + i * 104_729) % 9_973))
        .collect(Collectors.joining(" "));
  }

  private static String message(int number) {
    return "Message %d. %s".formatted(number, words(number + 1, 60));
  }

  private static void apply(
      KafkaConnection connection, ControlTopic control, Producer<byte[], byte[]> producer)
      throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: %1$s
                sources: { messages: { topic: %1$s.in, format: json, key: id } }
                operators:
                  - map: classify
                    input: messages
                    instruction: "Name the intent by this handbook: %2$s"
                    reads: [text]
                    writes: { intent: { type: string, enum: [refund, praise, other] } }
                results: { topic: %1$s.out, format: json }
                budget: { samples: 60 }
                judge: o4-mini
                models: [gpt-4.1-nano]
                """
                    .formatted(NAME, words(0, 1_000)));
    var _ = new TopicCreation(1, 1).create(connection, program);
    control.write(
        List.of(
            new ControlRecord.Pinned(NAME, "classify", new ModelSelection("gpt-4.1-nano")),
            new ControlRecord.ProgramSet(program)));
    for (int i = 0; i < EXAMPLES; i++) {
      send(
          producer,
          program.validation().topic(),
          "e" + i,
          "{\"document\":{\"id\":\"e%d\",\"text\":\"%s\"},\"labels\":{\"classify\":{\"intent\":\"refund\"}}}"
              .formatted(i, message(DOCUMENTS + i)));
    }
  }

  private static void send(
      Producer<byte[], byte[]> producer, String topic, String key, String value) throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                topic,
                key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8)))
        .get();
  }

  private static void awaitSearch(KafkaConnection connection) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String phase = "";
    while (!phase.equals("FINISHED")) {
      assertThat(System.nanoTime()).as(phase).isLessThan(deadline);
      LockSupport.parkNanos(POLL.toNanos());
      JsonNode search = TopicReader.status(connection).optimizer(NAME);
      phase = search == null ? "" : search.path("phase").asText();
    }
  }

  private static void awaitResults(KafkaConnection connection) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    TopicPartition results = new TopicPartition(NAME + ".out", 0);
    try (Consumer<byte[], byte[]> consumer =
        connection.consumer(Map.of("isolation.level", "read_committed"))) {
      consumer.assign(List.of(results));
      consumer.seekToBeginning(List.of(results));
      int seen = 0;
      while (seen < DOCUMENTS) {
        assertThat(System.nanoTime()).as("%d results", seen).isLessThan(deadline);
        seen += consumer.poll(Duration.ofMillis(200)).count();
      }
    }
  }

  /** The promise of the active plan when it is as expected; the last one if it never is. */
  private static PlanPromise promise(ControlTopic control, Predicate<PlanPromise> expected) {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    PlanPromise last = null;
    while (System.nanoTime() < deadline && (last == null || !expected.test(last))) {
      LockSupport.parkNanos(POLL.toNanos());
      ControlState state = control.read();
      ControlRecord.Activated active = state.active(NAME);
      PhysicalPlan plan = active == null ? null : state.plan(NAME, active.epoch());
      last = plan == null ? null : plan.promise();
    }
    return Objects.requireNonNull(last, "no plan has a promise");
  }
}

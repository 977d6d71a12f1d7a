package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.kafka.KafkaNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker of 300 MB starts beside more receipts than it has memory. Set {@code abacus.receipts}
 * for another number of them.
 */
class ManyReceiptsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int RECEIPTS = Integer.getInteger("abacus.receipts", 300_000);
  private static final int BYTES = Integer.getInteger("abacus.receipt.bytes", 1_000);

  private static final String PROGRAM =
      """
      program: many
      sources: { messages: { topic: many.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: many.out }
      models: [gpt-4o-mini]
      """;

  @TempDir private Path folder;

  @Test
  void aWorkerStartsBesideManyReceipts() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs()) {
      fill(kafka);
      program.send(0, null, "k", "{\"text\":\"a message\"}");
      Map<String, String> properties =
          Map.of(
              "bootstrap.servers", kafka.bootstrapServers(),
              "state.dir", folder.resolve("state").toString(),
              "abacus.model.endpoint", models.baseUri().toString(),
              "auto.offset.reset", "earliest");
      long start = System.nanoTime();
      try (PlaneProcess worker = PlaneProcess.worker(properties, folder.resolve("worker.log"))) {
        while (outputs.poll(Duration.ofMillis(100)).isEmpty()) {
          assertThat(worker.isAlive()).isTrue();
          assertThat(System.nanoTime() - start).isLessThan(PATIENCE.toNanos());
        }
      }
      System.out.printf(
          "%,d receipts of %,d bytes: the first result after %.1f s%n",
          RECEIPTS, BYTES, (System.nanoTime() - start) / 1e9);
    }
  }

  private static void fill(LocalKafka kafka) {
    String topic = KafkaNames.UNPREFIXED.receipts("many");
    byte[] answer = new byte[BYTES];
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "linger.ms", 20,
                "batch.size", 500_000),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < RECEIPTS; i++) {
        byte[] key = "request %040d".formatted(i).getBytes(StandardCharsets.UTF_8);
        var _ = producer.send(new ProducerRecord<>(topic, 0, key, answer));
      }
    }
  }
}

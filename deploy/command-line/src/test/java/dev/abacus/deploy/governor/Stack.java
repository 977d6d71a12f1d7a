package dev.abacus.deploy.governor;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A broker, a worker and an optimizer that is quick to act, over models that obey. */
final class Stack implements AutoCloseable {

  /** $0.01 per usual answer. */
  static final String CAREFUL = "careful";

  /** $0.001 per usual answer. */
  static final String QUICK = "quick";

  private static final String MODELS =
      """
      [{"name": "careful", "kind": "CHAT", "inputUsdPerMillion": 0, "outputUsdPerMillion": 100,
        "quality": 0.9, "secondsPerOutputToken": 0.004, "contextTokens": 100000},
       {"name": "quick", "kind": "CHAT", "inputUsdPerMillion": 0, "outputUsdPerMillion": 10,
        "quality": 0.6, "secondsPerOutputToken": 0.0002, "contextTokens": 100000}]
      """;

  final ObedientModels models;
  final ModelCatalogue catalogue;
  final KafkaConnection connection;
  private final LocalKafka kafka;
  private final Worker worker;
  private final OptimizerService optimizer;
  private final Producer<byte[], byte[]> producer;

  Stack(Path folder) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("models.json"), MODELS);
    catalogue = ModelCatalogue.builtIn().extendedBy(file);
    models = new ObedientModels();
    kafka = LocalKafka.start();
    connection = KafkaConnection.to(kafka.bootstrapServers());
    producer = connection.producer(Map.of());
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", kafka.bootstrapServers());
    properties.put(WorkerConfig.STATE_DIR, folder.resolve("state").toString());
    properties.put(WorkerConfig.IN_FLIGHT, 16);
    properties.put(WorkerConfig.STATUS_INTERVAL_MS, 200);
    properties.put(WorkerConfig.MODEL_ENDPOINT, models.baseUri().toString());
    properties.put(WorkerConfig.MODEL_KEY, "none");
    properties.put(WorkerConfig.MODEL_CATALOGUE, file.toString());
    worker = Worker.start(new WorkerConfig(properties));
    optimizer =
        OptimizerService.start(
            new OptimizerConfig(
                Map.of(
                    "bootstrap.servers",
                    kafka.bootstrapServers(),
                    OptimizerConfig.MODEL_CATALOGUE,
                    file.toString(),
                    OptimizerConfig.STREAM_EXAMPLES,
                    0,
                    OptimizerConfig.GOVERNOR_DWELL_MS,
                    1500,
                    OptimizerConfig.GOVERNOR_COOL_OFF_MS,
                    5000)));
    if (!optimizer.awaitReady(Duration.ofMinutes(3))) {
      throw new IllegalStateException("the optimizer is not ready");
    }
  }

  void create(Program program) {
    TopicCreation creation = new TopicCreation(2, 1);
    var _ = creation.create(connection, program);
  }

  void control(ControlRecord record) throws Exception {
    send(KafkaNames.UNPREFIXED.control(), record.key().path(), ControlCodec.encode(record));
  }

  void send(String topic, String key, String value) throws Exception {
    send(topic, key, value.getBytes(StandardCharsets.UTF_8));
  }

  private void send(String topic, String key, byte @Nullable [] value) throws Exception {
    producer.send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value)).get();
  }

  @Override
  public void close() {
    optimizer.close();
    worker.close();
    producer.close();
    models.close();
    kafka.close();
  }
}

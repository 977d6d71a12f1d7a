package dev.abacus.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

/** A broker compacts the control topic after a record was refused. */
class ControlCompactionIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final ConfigResource CONTROL =
      new ConfigResource(ConfigResource.Type.TOPIC, KafkaNames.UNPREFIXED.control());
  private static final String GOOD = "\"minimize cost subject to quality >= 0.8\"";
  private static final String REFUSED = "\"minimise nothing\"";

  private static void configure(Admin admin, Map<String, String> settings) throws Exception {
    List<AlterConfigOp> changes = new ArrayList<>();
    settings.forEach((name, value) ->
        changes.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
    admin.incrementalAlterConfigs(Map.of(CONTROL, changes)).all().get();
  }

  private static void write(KafkaConnection connection, String key, String value) throws Exception {
    try (Producer<byte[], byte[]> producer = connection.producer(Map.of())) {
      producer
          .send(
              new ProducerRecord<>(
                  KafkaNames.UNPREFIXED.control(),
                  key.getBytes(StandardCharsets.UTF_8),
                  value.getBytes(StandardCharsets.UTF_8)))
          .get();
    }
  }

  private static List<String> log(KafkaConnection connection, String topic) {
    List<String> values = new ArrayList<>();
    TopicReader.read(connection, topic, record -> values.add(value(record)));
    return values;
  }

  private static String value(ConsumerRecord<byte[], byte[]> record) {
    return record.value() == null ? "" : new String(record.value(), StandardCharsets.UTF_8);
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
    }
  }

  private static OptimizerService optimizer(LocalKafka kafka) {
    return OptimizerService.start(
        new OptimizerConfig(Map.of("bootstrap.servers", kafka.bootstrapServers())));
  }

  @Test
  void theValueInForceSurvivesARefusedRecordAndItsCompaction() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
      new TopicCreation(1, 1).createShared(connection);
      configure(
          admin,
          Map.of(
              "segment.ms", "100",
              "min.cleanable.dirty.ratio", "0",
              "min.compaction.lag.ms", "0",
              "max.message.bytes", "1000"));
      write(
          connection,
          "program/p",
          "{program: p, sources: {s: {topic: s}}, operators: [{filter: f, condition: c, reads: [t]}], results: {topic: r}}");
      write(connection, "objective/p", GOOD);
      write(connection, "objective/p", REFUSED);

      try (OptimizerService optimizer = optimizer(kafka)) {
        assertThat(optimizer.awaitReady(PATIENCE)).isTrue();
        await(
            "the restored value",
            () -> log(connection, KafkaNames.UNPREFIXED.control()).lastIndexOf(GOOD) > 2);
      }
      Config raised = admin.describeConfigs(List.of(CONTROL)).all().get().get(CONTROL);
      assertThat(Objects.requireNonNull(raised).get("min.compaction.lag.ms").value())
          .isEqualTo(String.valueOf(Duration.ofDays(1).toMillis()));
      assertThat(raised.get("max.message.bytes").value()).isEqualTo(String.valueOf(8 << 20));
      configure(admin, Map.of("min.compaction.lag.ms", "0"));
      await(
          "the compaction",
          () -> {
            try {
              write(connection, "reoptimize/other", "again");
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
            return !log(connection, KafkaNames.UNPREFIXED.control()).contains(REFUSED);
          });

      try (OptimizerService optimizer = optimizer(kafka)) {
        assertThat(optimizer.awaitReady(PATIENCE)).isTrue();
      }
      ControlState state = new ControlTopic(connection, ModelCatalogue.builtIn()).read();
      assertThat(state.objective(state.require("p")).toString())
          .isEqualTo("minimize cost subject to quality >= 0.8");
      assertThat(state.refused("p"))
          .singleElement()
          .satisfies(rejection -> {
            assertThat(rejection.key()).isEqualTo("objective/p");
            assertThat(state.inForce(rejection)).contains("cost").contains("0.8");
          });
      assertThat(log(connection, KafkaNames.UNPREFIXED.rejections()))
          .singleElement()
          .satisfies(text ->
              assertThat(Json.read(text.getBytes(StandardCharsets.UTF_8), Rejection.class).key())
                  .isEqualTo("objective/p"));

      write(connection, "objective/p", "\"maximize quality\"");
      assertThat(new ControlTopic(connection, ModelCatalogue.builtIn()).read().refused("p"))
          .isEmpty();
    }
  }
}

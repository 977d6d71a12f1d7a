package dev.abacus.deploy.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.KafkaNames;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker and an optimizer, each in a JVM of its own, whose threads fail. */
class SupervisionIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Confluent's magic byte, a schema id and one byte. */
  private static final byte[] BROKEN_LIBRARY = {0, 0, 0, 0, 1, 1};

  private static final byte[] REGISTRY_AWAY = {0, 0, 0, 0, 1, 2};

  @TempDir Path folder;

  /** A deserializer whose library is damaged, or whose registry cannot be reached. */
  public static final class FailingDeserializer implements Deserializer<Object> {
    @Override
    public Object deserialize(String topic, byte[] value) {
      if (value[5] == 1) {
        throw new NoClassDefFoundError("some/Library");
      }
      throw new SerializationException("away", new ConnectException("refused"));
    }
  }

  private PlaneProcess start(String command, LocalKafka kafka) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                command,
                "--bootstrap-server",
                kafka.bootstrapServers(),
                "-X",
                "schema.registry.url=mock://" + command,
                "-X",
                "value.deserializer=" + FailingDeserializer.class.getName()));
    if (command.equals("worker")) {
      line.addAll(
          List.of(
              "--data",
              folder.resolve("state").toString(),
              "-X",
              "abacus.model.endpoint=http://localhost:1"));
    }
    return PlaneProcess.command(line, folder.resolve(command + ".log"));
  }

  private static void write(KafkaConnection connection, String key, byte[] value) throws Exception {
    try (Producer<byte[], byte[]> producer = connection.producer(Map.of())) {
      producer
          .send(
              new ProducerRecord<>(
                  KafkaNames.UNPREFIXED.control(), key.getBytes(StandardCharsets.UTF_8), value))
          .get();
    }
  }

  /** Reads the status topic until a thread of the worker does not work. */
  private static InstanceStatus awaitTrouble(KafkaConnection connection) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      for (InstanceStatus status : TopicReader.status(connection).instances("p")) {
        if (status.threads().stream().anyMatch(thread -> !thread.works())) {
          return status;
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
    }
    throw new AssertionError("every thread works");
  }

  @Test
  void aThreadThatWaitsIsInTheStatus() throws Exception {
    try (LocalKafka kafka = LocalKafka.start()) {
      KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
      new TopicCreation(1, 1).createShared(connection);
      write(
          connection,
          "program/p",
          "{program: p, sources: {s: {topic: s}}, operators: [{filter: f, condition: c, reads: [t]}], results: {topic: r}}"
              .getBytes(StandardCharsets.UTF_8));
      try (PlaneProcess worker = start("worker", kafka);
          PlaneProcess optimizer = start("optimizer", kafka)) {
        write(connection, "paused/p", REGISTRY_AWAY);

        InstanceStatus status = awaitTrouble(connection);
        assertThat(status.threads())
            .anySatisfy(thread -> {
              assertThat(thread.thread()).isEqualTo("control");
              assertThat(thread.works()).isFalse();
              assertThat(thread.cause()).contains("away");
            });
        assertThat(status.state()).startsWith("DEGRADED: thread 'control' fails since");
        assertThat(worker.isAlive()).isTrue();
        assertThat(optimizer.isAlive()).isTrue();
      }
    }
  }

  @Test
  void aThreadThatCannotContinueEndsTheProcessWithItsExitCode() throws Exception {
    try (LocalKafka kafka = LocalKafka.start()) {
      KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
      new TopicCreation(1, 1).createShared(connection);
      write(connection, "program/p", BROKEN_LIBRARY);
      try (PlaneProcess worker = start("worker", kafka);
          PlaneProcess optimizer = start("optimizer", kafka)) {
        assertThat(worker.exitCode(PATIENCE)).isEqualTo(4);
        assertThat(optimizer.exitCode(PATIENCE)).isEqualTo(4);
      }
      assertThat(Files.readString(folder.resolve("worker.log")))
          .contains("thread 'control' ended")
          .contains("some/Library");
      assertThat(Files.readString(folder.resolve("optimizer.log"))).contains("some/Library");
    }
  }
}

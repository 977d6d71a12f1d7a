package dev.abacus.deploy.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plants secrets in the configuration. The endpoint returns them in its errors, in several
 * encodings. Then no topic, log or output contains them.
 */
class SecretsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String KEY = "sk-planted/Kq+77zzTopSecret=";
  private static final String PASSWORD = "registry-Pl4nted-password";
  private static final String PERCENT = URLEncoder.encode(KEY, StandardCharsets.UTF_8);
  private static final String BASIC = base64("joe:" + PASSWORD);

  /** Texts that no output may contain. */
  private static final List<String> PLANTED =
      List.of(
          KEY,
          PASSWORD,
          PERCENT,
          base64(KEY),
          base64("user:" + KEY).substring(8, 40),
          BASIC,
          "TopSecret",
          "Pl4nted");

  private static final String PROGRAM =
      """
      program: p
      sources: { s: { topic: p.in } }
      operators:
        - map: m
          instruction: What is it?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: p.out }
      models: [gpt-4o-mini]
      budget: { samples: 4 }
      """;

  @TempDir Path folder;
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch answered = new CountDownLatch(1);

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** An endpoint whose errors repeat the key: refusals first, then refused keys. */
  private HttpServer endpoint() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestURI().getPath().endsWith("/models")) {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
            return;
          }
          int status = calls.incrementAndGet() <= 3 ? 400 : 401;
          byte[] body =
              "{\"error\": {\"message\": \"Incorrect API key: %s or %s or %s or %s at http://joe:%s@host\"}}"
                  .formatted(KEY, PERCENT, base64(KEY), base64("user:" + KEY), PASSWORD)
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
          answered.countDown();
        });
    server.start();
    return server;
  }

  private PlaneProcess start(String command, LocalKafka kafka, HttpServer endpoint)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                command,
                "--verbose",
                "--bootstrap-server",
                kafka.bootstrapServers(),
                "-X",
                "schema.registry.url=http://joe:" + PASSWORD + "@localhost:1"));
    if (command.equals("worker")) {
      arguments.addAll(
          List.of(
              "--data",
              folder.resolve("state").toString(),
              "--model-endpoint",
              "http://localhost:" + endpoint.getAddress().getPort() + "/v1",
              "-X",
              "abacus.model.key=" + KEY + "\r"));
    }
    return PlaneProcess.command(arguments, folder.resolve(command + ".log"));
  }

  private static void send(
      Producer<byte[], byte[]> producer, String topic, String key, byte[] value) throws Exception {
    producer.send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value)).get();
  }

  @Test
  void noTopicLogOrOutputContainsAPlantedSecret() throws Exception {
    HttpServer endpoint = endpoint();
    try (LocalKafka kafka = LocalKafka.start()) {
      KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
      TopicCreation creation = new TopicCreation(1, 1);
      creation.createShared(connection);
      creation.create(
          connection,
          List.of(new TopicSpec("p.in", 1, Map.of()), new TopicSpec("p.validation", 1, Map.of())));
      try (Producer<byte[], byte[]> producer = connection.producer(Map.of())) {
        send(
            producer,
            KafkaNames.UNPREFIXED.control(),
            "program/p",
            PROGRAM.getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < 4; i++) {
          send(
              producer,
              "p.validation",
              "v" + i,
              "{\"document\": {\"text\": \"t%d\"}, \"labels\": {\"m\": {\"topic\": \"x\"}}}"
                  .formatted(i)
                  .getBytes(StandardCharsets.UTF_8));
        }
      }
      try (PlaneProcess _ = start("worker", kafka, endpoint);
          PlaneProcess _ = start("optimizer", kafka, endpoint)) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        assertThat(answered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        // The registry's address holds a password, and nothing listens there.
        try (Producer<byte[], byte[]> producer = connection.producer(Map.of())) {
          send(
              producer,
              KafkaNames.UNPREFIXED.control(),
              "budget/p",
              new byte[] {0, 0, 0, 0, 1, 2, 3});
        }
        while (TopicReader.status(connection).instances("p").stream()
            .noneMatch(status -> status.state().startsWith("DEGRADED"))) {
          assertThat(System.nanoTime()).as("DEGRADED").isLessThan(deadline);
          LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        }
      }

      List<String> leaks = new ArrayList<>();
      int records = search(connection, leaks);
      for (String log : List.of("worker.log", "optimizer.log")) {
        check(log, Files.readString(folder.resolve(log)), leaks);
      }
      assertThat(records).isGreaterThan(5);
      assertThat(leaks).isEmpty();
    } finally {
      endpoint.stop(0);
    }
  }

  /** Searches all records of all topics, also uncommitted ones; returns their number. */
  private static int search(KafkaConnection connection, List<String> leaks) {
    int records = 0;
    try (Consumer<byte[], byte[]> consumer =
        connection.consumer(Map.of("isolation.level", "read_uncommitted"))) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (String topic : new TreeSet<>(connection.topics())) {
        consumer
            .partitionsFor(topic)
            .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          records++;
          String where = record.topic() + "@" + record.offset();
          check(where, text(record.key()), leaks);
          check(where, text(record.value()), leaks);
          for (Header header : record.headers()) {
            check(where + " " + header.key(), text(header.value()), leaks);
          }
        }
      }
    }
    return records;
  }

  private static String text(byte[] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }

  private static void check(String where, String text, List<String> leaks) {
    PLANTED.stream()
        .filter(text::contains)
        .findFirst()
        .ifPresent(planted -> {
          int at = text.indexOf(planted);
          leaks.add(
              where
                  + ": "
                  + text.substring(
                      Math.max(0, at - 80), Math.min(text.length(), at + planted.length() + 20)));
        });
  }
}

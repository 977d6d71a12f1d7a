package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.runtime.OpenCalls;
import dev.abacus.topology.runtime.ReceiptTopic;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Receipts that a real producer cannot deliver for a while; a mock fails in other places. */
class ReceiptTopicIT {

  private static final String TOPIC = "p.receipts";
  private static final int RECEIPTS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  /** A producer that gives a record up after a second in which it cannot be put into its buffer. */
  private ReceiptTopic open(LocalKafka kafka) {
    return ReceiptTopic.open(
        TOPIC,
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "max.block.ms", 1_000),
        1_000_000,
        new ReceiptTopic.Services(
            OpenCalls.of(100),
            new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC())));
  }

  @Test
  void receiptsOfATopicThatIsNotKnownYetAreSentAgain() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        ReceiptTopic receipts = open(kafka)) {
      write(receipts);
      Thread.sleep(Duration.ofSeconds(3)); // The producer has given each of them up.
      create(kafka);
      await(receipts, RECEIPTS);
      assertThat(hashes(kafka)).hasSize(RECEIPTS).doesNotHaveDuplicates();
    }
  }

  @Test
  void receiptsThatAreWrittenWhileTheBrokerIsStoppedArriveOnce() throws Exception {
    LocalKafka kafka = LocalKafka.start(0, folder);
    try (ReceiptTopic receipts = open(kafka)) {
      create(kafka);
      receipts.write(0, "before", new byte[] {1});
      await(receipts, 1);
      int port = Integer.parseInt(kafka.bootstrapServers().split(":", 2)[1]);
      kafka.close();
      write(receipts);
      Thread.sleep(Duration.ofSeconds(3));
      assertThat(receipts.position(0)).isEqualTo(1);
      kafka = LocalKafka.start(port, folder);
      await(receipts, RECEIPTS + 1);
      assertThat(hashes(kafka)).hasSize(RECEIPTS + 1).doesNotHaveDuplicates();
    } finally {
      kafka.close();
    }
  }

  private static void create(LocalKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
    }
  }

  private static void write(ReceiptTopic receipts) {
    for (int i = 0; i < RECEIPTS; i++) {
      receipts.write(0, "hash-" + i, new byte[] {1});
    }
  }

  /** Waits until Kafka has acknowledged so many receipts. */
  private static void await(ReceiptTopic receipts, int least) throws InterruptedException {
    long begin = System.nanoTime();
    while (receipts.position(0) < least) {
      assertThat(System.nanoTime() - begin)
          .as("%d of %d", receipts.position(0), least)
          .isLessThan(PATIENCE.toNanos());
      Thread.sleep(20);
    }
  }

  /** What is in the topic, in its order. */
  private static List<String> hashes(LocalKafka kafka) {
    TopicPartition partition = new TopicPartition(TOPIC, 0);
    List<String> hashes = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer =
        KafkaConnection.to(kafka.bootstrapServers())
            .consumer(Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted"))) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(record -> hashes.add(new String(record.key(), StandardCharsets.UTF_8)));
      }
    }
    return hashes;
  }
}

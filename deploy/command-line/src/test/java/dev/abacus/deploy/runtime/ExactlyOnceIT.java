package dev.abacus.deploy.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.runtime.OpenCalls;
import dev.abacus.topology.runtime.ReceiptTopic;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two instances on a real broker; one after the other dies in the middle of transactions. */
class ExactlyOnceIT {

  private static final int DOCUMENTS = 6000;
  private static final int IN_FLIGHT = 150;
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final AtomicInteger calls = new AtomicInteger();
  private final List<SimulatedWork> works = new ArrayList<>();
  private final List<ConsumerRecord<String, String>> read = new ArrayList<>();

  @Test
  void crashesLoseNothingDoubleNothingAndKeepTheOrderOfKeys(@TempDir Path state) throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        ReceiptTopic receipts =
            ReceiptTopic.open(
                "receipts",
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                1 << 20,
                new ReceiptTopic.Services(
                    OpenCalls.of(IN_FLIGHT),
                    new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC())))) {
      Topics topics = new Topics(kafka.bootstrapServers());
      topics.create();
      topics.produce(DOCUMENTS, 97, 100);
      try (KafkaConsumer<String, String> results = topics.results()) {
        Instance left = start(kafka, state.resolve("left"), receipts);
        Instance right = start(kafka, state.resolve("right"), receipts);
        readUntil(results, DOCUMENTS / 5);
        left.crash();
        left = start(kafka, state.resolve("left"), receipts);
        readUntil(results, DOCUMENTS * 2 / 5);
        right.crash();
        readUntil(results, DOCUMENTS * 3 / 5);
        right = start(kafka, state.resolve("right"), receipts);
        readUntil(results, DOCUMENTS * 4 / 5);
        left.close(); // an orderly goodbye, with calls in flight
        readUntil(results, DOCUMENTS);
        right.close();
        results.poll(Duration.ofSeconds(2)).forEach(read::add);
      }
    }
    assertThat(read).extracting(result -> Topics.number(result.value())).doesNotHaveDuplicates();
    assertThat(read).hasSize(DOCUMENTS);
    assertKeysKeepTheirOrder();
    // What was in flight, and what finished too late for a commit and for a receipt.
    assertThat(calls.get()).isBetween(DOCUMENTS, DOCUMENTS + 3 * 3 * IN_FLIGHT);
    assertThat(saved()).as("calls saved by receipts").isPositive();
  }

  private int saved() {
    return works.stream().mapToInt(SimulatedWork::saved).sum();
  }

  private Instance start(LocalKafka kafka, Path state, ReceiptTopic receipts) {
    SimulatedWork work = new SimulatedWork(Duration.ofMillis(200), calls);
    works.add(work);
    return Instance.mortal(
        kafka.bootstrapServers(),
        state,
        work,
        RuntimeSettings.defaults().withPendingBound(2 * IN_FLIGHT),
        RuntimeServices.of(IN_FLIGHT).withReceipts(receipts));
  }

  private void readUntil(KafkaConsumer<String, String> results, int count) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (read.size() < count) {
      assertThat(System.nanoTime()).as("%d of %d results", read.size(), count).isLessThan(deadline);
      results.poll(Duration.ofMillis(100)).forEach(read::add);
    }
  }

  private void assertKeysKeepTheirOrder() {
    Map<String, Integer> last = new HashMap<>();
    for (ConsumerRecord<String, String> result : read) {
      int number = Topics.number(result.value());
      Integer before = last.put(result.key(), number);
      assertThat(before == null || before < number).as("%s after %s", number, before).isTrue();
    }
  }
}

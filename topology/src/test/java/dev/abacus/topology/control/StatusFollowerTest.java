package dev.abacus.topology.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelDemand;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an instance learns of the demands of the others. */
@Timeout(60)
class StatusFollowerTest {

  private static final TopicPartition PARTITION =
      new TopicPartition(KafkaNames.UNPREFIXED.status(), 0);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration STALE = Duration.ofSeconds(10);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final AtomicLong offset = new AtomicLong();
  private final BlockingQueue<Map<String, List<ModelDemand>>> heard = new LinkedBlockingQueue<>();
  private final Supervisor supervisor =
      new Supervisor(RestartPolicy.standard(KafkaException.class::isInstance), now::get);
  private @Nullable StatusFollower follower;

  @BeforeEach
  void topic() {
    Node node = new Node(0, "localhost", 9092);
    consumer.updatePartitions(
        KafkaNames.UNPREFIXED.status(),
        List.of(
            new PartitionInfo(
                KafkaNames.UNPREFIXED.status(), 0, node, new Node[] {node}, new Node[] {node})));
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
  }

  @AfterEach
  void close() {
    Objects.requireNonNull(follower).close();
  }

  private void start() {
    consumer.updateEndOffsets(Map.of(PARTITION, offset.get()));
    follower =
        new StatusFollower(
            new StatusFollower.Feed(consumer, KafkaNames.UNPREFIXED.status()),
            new StatusFollower.Self("worker-1", "this life"),
            STALE,
            now::get,
            supervisor,
            byInstance -> heard.add(Map.copyOf(byInstance)));
  }

  private void write(String key, byte[] value) {
    consumer.addRecord(
        new ConsumerRecord<>(
            KafkaNames.UNPREFIXED.status(),
            0,
            offset.getAndIncrement(),
            key.getBytes(StandardCharsets.UTF_8),
            value));
  }

  private static byte[] status(String instance, Instant at, long callsPerMinute) {
    return Json.write(
        InstanceStatus.builder("p", instance, at, "RUNNING")
            .demands(List.of(new ModelDemand("m", callsPerMinute, 0)))
            .build());
  }

  private void says(String instance, Instant at, long callsPerMinute) {
    write("p/" + instance, status(instance, at, callsPerMinute));
  }

  private Map<String, List<ModelDemand>> hears(Predicate<Map<String, List<ModelDemand>>> expected)
      throws InterruptedException {
    Map<String, List<ModelDemand>> next;
    do {
      next = heard.poll(30, TimeUnit.SECONDS);
      assertThat(next).as("a report that is expected").isNotNull();
    } while (!expected.test(next));
    return next;
  }

  @Test
  void theDemandsOfOtherInstancesAreReportedWithoutItsOwnAndWithoutTheControlPlane()
      throws Exception {
    consumer.schedulePollTask(() -> {
      says("worker-1", START, 1);
      says("worker-2", START, 2);
      write("p/optimizer", status("optimizer", START, 3));
      write("p/governor", "{".getBytes(StandardCharsets.UTF_8));
      write("p/worker-9", "no JSON".getBytes(StandardCharsets.UTF_8));
      says("worker-3", START, 4);
    });
    start();

    assertThat(hears(demands -> demands.containsKey("worker-3")))
        .isEqualTo(
            Map.of(
                "worker-2", List.of(new ModelDemand("m", 2, 0)),
                "worker-3", List.of(new ModelDemand("m", 4, 0))));
  }

  @Test
  void aSecondInstanceOfItsNameIsToldAsLongAsItReportsAndItsDemandCounts() throws Exception {
    consumer.schedulePollTask(() -> reports("a life before", START, 1));
    start();
    hears(Map::isEmpty);
    assertThat(supervisor.troubled()).isEmpty();

    consumer.schedulePollTask(() -> {
      reports("this life", START, 2);
      reports("another one", START, 3);
    });
    assertThat(hears(demands -> !demands.isEmpty()).values())
        .containsExactly(List.of(new ModelDemand("m", 3, 0)));
    assertThat(supervisor.troubled().getFirst().describe())
        .contains("another worker is called 'worker-1' too", "abacus.instance.id");

    now.set(START.plus(STALE).plusSeconds(1));
    hears(Map::isEmpty);
    assertThat(supervisor.troubled()).isEmpty();
  }

  private void reports(String process, Instant at, long callsPerMinute) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(
            KafkaNames.UNPREFIXED.status(),
            0,
            offset.getAndIncrement(),
            "p/worker-1".getBytes(StandardCharsets.UTF_8),
            status("worker-1", at, callsPerMinute));
    record.headers().add(Headers.PROCESS, process.getBytes(StandardCharsets.UTF_8));
    consumer.addRecord(record);
  }

  @Test
  void aStaleInstanceHasNoDemandAndANewOneHas() throws Exception {
    consumer.schedulePollTask(() -> says("worker-2", START, 2));
    start();
    hears(demands -> demands.keySet().equals(Set.of("worker-2")));

    now.set(START.plus(STALE).plusSeconds(1));
    hears(Map::isEmpty);

    consumer.schedulePollTask(() -> says("worker-3", START.plusSeconds(11), 5));
    hears(demands -> demands.keySet().equals(Set.of("worker-3")));
  }

  @Test
  void aStatusFromBeforeTheStartCountsWithItsOwnTime() throws Exception {
    consumer.schedulePollTask(() -> {
      says("stopped-long-ago", START.minus(Duration.ofHours(1)), 2);
      says("worker-2", START.minusSeconds(1), 3);
      // The end that the follower must reach before its own clock counts.
      consumer.updateEndOffsets(Map.of(PARTITION, offset.get()));
    });
    start();

    assertThat(hears(demands -> demands.containsKey("worker-2"))).containsOnlyKeys("worker-2");
  }

  @Test
  void aClockThatIsSlowOnAnotherHostDoesNotMakeItsStatusStale() throws Exception {
    start();
    hears(Map::isEmpty);
    consumer.schedulePollTask(() -> says("worker-2", START.minus(Duration.ofHours(1)), 2));

    assertThat(hears(demands -> !demands.isEmpty())).containsOnlyKeys("worker-2");
  }

  @Test
  void aClockThatIsFastOnAnotherHostDoesNotKeepItsStatusFromBeforeTheStart() throws Exception {
    consumer.schedulePollTask(() -> {
      says("worker-2", START.plus(Duration.ofHours(1)), 2);
      consumer.updateEndOffsets(Map.of(PARTITION, offset.get()));
    });
    start();
    hears(demands -> demands.containsKey("worker-2"));
    now.set(START.plus(STALE).plusSeconds(1));

    hears(Map::isEmpty);
  }
}

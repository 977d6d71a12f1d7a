package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cli.Run;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that sleep at once, and a producer of Kafka that knows nothing of it. Each test waits
 * most of the time, on brokers of its own.
 */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class SleepIT {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration LATENCY = Duration.ofSeconds(20);
  private static final int PARTITIONS = 2;

  @TempDir private Path folder;

  private static String definition(String name, String after) {
    return """
    program: %1$s
    sources: { messages: { topic: %1$s.in } }
    operators:
      - map: topic
        instruction: What is the message about?
        reads: [text]
        writes: { topic: { type: string } }
    %2$s
    results: { topic: %1$s.out }
    models: [gpt-4o-mini]
    """
        .formatted(name, after);
  }

  /** What is on the broker, and what came out so far. */
  private record Site(LocalKafka kafka, Admin admin, KafkaProducer<byte[], byte[]> producer)
      implements AutoCloseable {

    static Site open() {
      LocalKafka kafka = LocalKafka.start();
      Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
      return new Site(
          kafka,
          Admin.create(client),
          new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    void send(String topic, String value) {
      var _ =
          producer.send(
              new ProducerRecord<>(
                  topic,
                  value.getBytes(StandardCharsets.UTF_8),
                  "{\"text\":\"%s\"}".formatted(value).getBytes(StandardCharsets.UTF_8)));
      producer.flush();
    }

    List<String> states(String program) {
      return TopicReader.status(KafkaConnection.to(kafka.bootstrapServers()))
          .instances(program)
          .stream()
          .map(InstanceStatus::state)
          .toList();
    }

    void awaitSleep(String program, int instances) {
      await(
          program + " sleeps",
          () ->
              states(program).stream().filter(state -> state.startsWith("SLEEPING: since")).count()
                  == instances);
    }

    /** Groups of a program that have members. */
    List<String> awake(String program) {
      try {
        return admin.listGroups().all().get().stream()
            .filter(group -> group.groupId().startsWith("abacus-" + program))
            .filter(group -> !group.groupState().equals(Optional.of(GroupState.EMPTY)))
            .map(GroupListing::groupId)
            .toList();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    Worker worker(SimulatedEndpoint models, Path folder, String name, Map<String, String> more)
        throws Exception {
      return Worker.start(new WorkerConfig(settings(models, folder, name, more)));
    }

    Map<String, String> settings(
        SimulatedEndpoint models, Path folder, String name, Map<String, String> more) {
      Map<String, String> settings = new HashMap<>(more);
      settings.put("bootstrap.servers", kafka.bootstrapServers());
      settings.put(WorkerConfig.INSTANCE_ID, name);
      settings.put(WorkerConfig.STATE_DIR, folder.resolve(name).toString());
      settings.put(WorkerConfig.STATUS_INTERVAL_MS, "200");
      settings.put(WorkerConfig.SLEEP_AFTER_MS, "1");
      settings.put(WorkerConfig.MODEL_ENDPOINT, models.baseUri().toString());
      return settings;
    }

    String run(int exit, String... words) {
      Run run = Run.on(kafka.bootstrapServers(), words);
      assertThat(run.exit()).as("%s", run).isEqualTo(exit);
      return run.out() + run.err();
    }

    @Override
    public void close() {
      producer.close();
      admin.close();
      kafka.close();
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
    }
  }

  /** Adds the keys of results and dead letters until there are as many, and no more. */
  private static void awaitKeys(
      KafkaConsumer<String, String> outputs, List<String> seen, String... wanted) {
    await(
        "outputs " + seen,
        () -> {
          outputs.poll(Duration.ofMillis(100)).forEach(record -> seen.add(record.key()));
          return seen.size() >= wanted.length;
        });
    outputs.poll(Duration.ofMillis(300)).forEach(record -> seen.add(record.key()));
    assertThat(seen).containsExactlyInAnyOrder(wanted);
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "streams"})
  void aDocumentWakesItsProgramAndNoOther(String protocol) throws Exception {
    try (Site site = Site.open();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram quiet =
            RunningProgram.open(site.kafka(), definition("quiet", ""), PARTITIONS, Map.of());
        RunningProgram _ =
            RunningProgram.open(site.kafka(), definition("other", ""), PARTITIONS, Map.of());
        KafkaConsumer<String, String> outputs = quiet.outputs();
        Worker _ = site.worker(models, folder, "one", Map.of("group.protocol", protocol))) {
      List<String> seen = new ArrayList<>();
      site.send("quiet.in", "first");
      site.send("other.in", "first");
      awaitKeys(outputs, seen, "first");
      site.awaitSleep("quiet", 1);
      site.awaitSleep("other", 1);
      await("empty groups", () -> site.awake("").isEmpty());

      long sent = System.nanoTime();
      site.send("quiet.in", "second");
      awaitKeys(outputs, seen, "first", "second");
      Duration took = Duration.ofNanos(System.nanoTime() - sent);
      System.out.printf("%s: a document woke its program within %s%n", protocol, took);
      assertThat(took).isLessThan(LATENCY);
      assertThat(site.awake("quiet")).containsExactly("abacus-quiet");
      assertThat(site.awake("other")).isEmpty();
      assertThat(site.states("other")).allMatch(state -> state.startsWith("SLEEPING"));

      site.awaitSleep("quiet", 1);
      for (int i = 0; i < 3; i++) {
        site.send("quiet.in", "more" + i);
      }
      awaitKeys(outputs, seen, "first", "second", "more0", "more1", "more2");
    }
  }

  @Test
  void whatIsToBeDoneIsDoneWhileAProgramSleeps() throws Exception {
    try (Site site = Site.open();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram quiet =
            RunningProgram.open(site.kafka(), definition("quiet", ""), PARTITIONS, Map.of());
        KafkaConsumer<String, String> outputs = quiet.outputs();
        Worker _ = site.worker(models, folder, "one", Map.of())) {
      List<String> seen = new ArrayList<>();
      site.awaitSleep("quiet", 1);
      assertThat(site.run(1, "reset", "quiet", "--yes")).contains("it sleeps on one");

      site.run(0, "pause", "quiet");
      await("it is paused", () -> site.states("quiet").contains("PAUSED"));
      site.send("quiet.in", "paused");
      await("it wakes", () -> site.awake("quiet").contains("abacus-quiet"));
      assertThat(outputs.poll(Duration.ofSeconds(3))).isEmpty();
      site.run(0, "resume", "quiet");
      awaitKeys(outputs, seen, "paused");

      site.awaitSleep("quiet", 1);
      site.run(0, "resume", "quiet");
      await("an operator wakes it", () -> site.states("quiet").contains("RUNNING"));

      site.awaitSleep("quiet", 1);
      await("samples sleep", () -> site.awake("quiet").isEmpty());
      site.send("quiet.samples", "no sample");
      awaitKeys(outputs, seen, "paused", "no sample");
      assertThat(site.awake("quiet")).as("samples have a group of their own").hasSize(1);

      site.awaitSleep("quiet", 1);
      quiet.become(definition("quiet", "  - limit: 100\n    id: few"), 2);
      await("version 2 runs", () -> site.awake("quiet").contains("abacus-quiet-v.2"));
      site.send("quiet.in", "version 2");
      awaitKeys(outputs, seen, "paused", "no sample", "version 2");
    }
  }

  @Test
  void aWorkerThatIsKilledInItsSleepLosesNothing() throws Exception {
    try (Site site = Site.open();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram quiet =
            RunningProgram.open(site.kafka(), definition("quiet", ""), PARTITIONS, Map.of());
        KafkaConsumer<String, String> outputs = quiet.outputs()) {
      List<String> seen = new ArrayList<>();
      Map<String, String> settings = site.settings(models, folder, "one", Map.of());
      Path log = folder.resolve("worker.log");
      try (PlaneProcess worker = PlaneProcess.worker(settings, log)) {
        site.send("quiet.in", "first");
        awaitKeys(outputs, seen, "first");
        site.awaitSleep("quiet", 1);
        worker.kill();
      }
      site.send("quiet.in", "second");
      site.send("quiet.in", "third");
      try (PlaneProcess worker = PlaneProcess.worker(settings, log)) {
        awaitKeys(outputs, seen, "first", "second", "third");
        site.awaitSleep("quiet", 1);
        long asked = System.nanoTime();
        assertThat(worker.terminate()).isEqualTo(143);
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(15));
      }
      assertThat(RunningProgram.statistics(models).path("calls").asInt()).isEqualTo(3);
    }
  }

  @Test
  void allInstancesOfAGroupSleepAndWake() throws Exception {
    try (Site site = Site.open();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram quiet =
            RunningProgram.open(site.kafka(), definition("quiet", ""), PARTITIONS, Map.of());
        KafkaConsumer<String, String> outputs = quiet.outputs();
        Worker _ = site.worker(models, folder, "one", Map.of());
        Worker _ = site.worker(models, folder, "two", Map.of())) {
      List<String> seen = new ArrayList<>();
      site.send("quiet.in", "first");
      awaitKeys(outputs, seen, "first");
      site.awaitSleep("quiet", 2);
      await("empty groups", () -> site.awake("quiet").isEmpty());

      site.send("quiet.in", "second");
      site.send("quiet.in", "third");
      awaitKeys(outputs, seen, "first", "second", "third");
    }
  }

  /** Kafka Streams commits after each punctuation, with the same offsets if nothing happened. */
  @Test
  void anIdleProgramCommitsNothing() throws Exception {
    try (Site site = Site.open();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram quiet =
            RunningProgram.open(site.kafka(), definition("quiet", ""), PARTITIONS, Map.of());
        KafkaConsumer<String, String> outputs = quiet.outputs();
        Worker _ =
            Worker.start(
                new WorkerConfig(
                    Map.of(
                        "bootstrap.servers",
                        site.kafka().bootstrapServers(),
                        WorkerConfig.STATE_DIR,
                        folder.toString(),
                        WorkerConfig.MODEL_ENDPOINT,
                        models.baseUri().toString())))) {
      site.send("quiet.in", "first");
      awaitKeys(outputs, new ArrayList<>(), "first");
      LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
      long before = offsetsWritten(site.admin());
      LockSupport.parkNanos(Duration.ofSeconds(10).toNanos());
      assertThat(offsetsWritten(site.admin()) - before).isZero();
    }
  }

  /** Records of committed offsets that the broker has ever written. */
  private static long offsetsWritten(Admin admin) throws Exception {
    String topic = "__consumer_offsets";
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    admin
        .describeTopics(List.of(topic))
        .allTopicNames()
        .get()
        .get(topic)
        .partitions()
        .forEach(
            info -> ends.put(new TopicPartition(topic, info.partition()), OffsetSpec.latest()));
    return admin.listOffsets(ends).all().get().values().stream()
        .mapToLong(end -> end.offset())
        .sum();
  }
}

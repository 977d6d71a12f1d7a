package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cli.Run;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SIGTERM of one of two workers, each in a JVM of its own, under a steady stream of documents: the
 * other one takes over within seconds, and no call is made twice.
 */
class LeavingIT {

  private static final int PARTITIONS = 4;
  private static final int PER_SECOND = 20;

  /** More than Kafka's default of {@code acceptable.recovery.lag}. */
  private static final int EARLIER_OFFSETS = 12_000;

  private static final Duration LATENCY = Duration.ofSeconds(1);

  /** A partition is silent for 3 s at most, beyond the latency of its first call. */
  private static final Duration LONGEST_SILENCE = LATENCY.plusSeconds(3);

  private static final Duration STEP = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String PROGRAM =
      """
      program: leaving
      sources: { messages: { topic: leaving.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: leaving.out }
      models: [gpt-4o-mini]
      """;

  @TempDir Path folder;

  private final Map<String, Integer> results = new HashMap<>();
  private final Map<Integer, Long> lastResult = new HashMap<>();
  private long silenceNanos;
  private long started = System.nanoTime();
  private int sent;

  /** Alone, because JVMs that start beside it make a partition silent, too. */
  @Tag("measured")
  @ResourceLock(Resources.GLOBAL)
  @ParameterizedTest
  @ValueSource(strings = {"classic", "streams"})
  void theOtherWorkerTakesOverWithinSecondsAndNoCallIsMadeTwice(String protocol) throws Exception {
    List<String> options = List.of("-X", "group.protocol=" + protocol);
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(LATENCY));
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, PARTITIONS, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs();
        PlaneProcess staying = worker(kafka, endpoint, "staying", options)) {
      started = System.nanoTime();
      awaitStart(program, outputs, "staying", 1);
      age(kafka);
      try (PlaneProcess leaving = worker(kafka, endpoint, "leaving", options)) {
        awaitStart(program, outputs, "leaving", 1);
        silenceNanos = 0;

        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> end(leaving));
        awaitEnd(program, outputs, exit);
        run(program, outputs, LONGEST_SILENCE);
        Duration silence = Duration.ofNanos(silenceNanos);
        finish(outputs);

        assertThat(staying.isAlive()).isTrue();
        assertThat(exit.join()).as("exit code").isZero();
        assertThat(Run.on(kafka.bootstrapServers(), "status", "leaving").out())
            .containsPattern("leaving +STOPPED");
        assertThat(results).hasSize(sent);
        assertThat(results.values()).containsOnly(1);
        String figures =
            "longest silence %s; %s".formatted(silence, RunningProgram.statistics(endpoint));
        assertThat(RunningProgram.statistics(endpoint).path("repeatedRequests").asInt())
            .as(figures)
            .isZero();
        assertThat(silence).as(figures).isLessThan(LONGEST_SILENCE);
      }
    }
  }

  @Test
  void aStaticMemberWithStandbysIsRestartedAndNothingIsLostOrPaidTwice() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(LATENCY));
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, PARTITIONS, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs();
        PlaneProcess staying = worker(kafka, endpoint, "staying", staticMember("staying"))) {
      started = System.nanoTime();
      awaitStart(program, outputs, "staying", 1);
      CompletableFuture<Integer> exit;
      try (PlaneProcess first = worker(kafka, endpoint, "leaving", staticMember("leaving"))) {
        awaitStart(program, outputs, "leaving", 1);
        exit = CompletableFuture.supplyAsync(() -> end(first));
        awaitEnd(program, outputs, exit);
      }
      try (PlaneProcess second = worker(kafka, endpoint, "leaving", staticMember("leaving"))) {
        awaitStart(program, outputs, "leaving", 2);
        finish(outputs);

        assertThat(staying.isAlive()).isTrue();
        assertThat(second.isAlive()).isTrue();
        assertThat(exit.join()).as("exit code").isZero();
        assertThat(results).hasSize(sent);
        assertThat(results.values()).containsOnly(1);
        assertThat(RunningProgram.statistics(endpoint).path("repeatedRequests").asInt()).isZero();
      }
    }
  }

  private static List<String> staticMember(String name) {
    return List.of("-X", "group.instance.id=" + name, "-X", "num.standby.replicas=1");
  }

  /**
   * Gives the changelogs the offsets of a program that has run for some time. Their records have
   * been deleted again.
   */
  private static void age(LocalKafka kafka) throws Exception {
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (Admin admin = Admin.create(client);
        KafkaProducer<Long, byte[]> producer =
            new KafkaProducer<>(client, new LongSerializer(), new ByteArraySerializer())) {
      List<String> changelogs =
          admin.listTopics().names().get().stream()
              .filter(topic -> topic.endsWith("-changelog"))
              .toList();
      assertThat(changelogs).isNotEmpty();
      for (String changelog : changelogs) {
        for (int i = 0; i < PARTITIONS * EARLIER_OFFSETS; i++) {
          var _ =
              producer.send(
                  new ProducerRecord<>(changelog, i % PARTITIONS, Long.MAX_VALUE - i, null));
        }
      }
    }
  }

  /** Runs until a worker has partitions that many times, and for a few calls more. */
  private void awaitStart(
      RunningProgram program, KafkaConsumer<String, String> outputs, String worker, int times)
      throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Path log = folder.resolve(worker + ".log");
    while (Files.readString(log).split("gained partitions: \\[leaving.in-").length <= times) {
      assertThat(System.nanoTime()).as("start of %s", worker).isLessThan(deadline);
      run(program, outputs, STEP);
    }
    run(program, outputs, LATENCY.multipliedBy(4));
  }

  private void awaitEnd(
      RunningProgram program, KafkaConsumer<String, String> outputs, CompletableFuture<?> exit) {
    while (!exit.isDone()) {
      run(program, outputs, STEP);
    }
  }

  private static int end(PlaneProcess process) {
    try {
      return process.terminate();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private PlaneProcess worker(
      LocalKafka kafka, SimulatedEndpoint endpoint, String name, List<String> more)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "worker",
                "--bootstrap-server",
                kafka.bootstrapServers(),
                "--data",
                folder.resolve(name).toString(),
                "--instance",
                name,
                "--model-endpoint",
                endpoint.baseUri().toString(),
                "-X",
                "auto.offset.reset=earliest"));
    arguments.addAll(more);
    return PlaneProcess.command(arguments, folder.resolve(name + ".log"));
  }

  /** Sends documents at a steady rate to all partitions, and follows the results. */
  private void run(
      RunningProgram program, KafkaConsumer<String, String> outputs, Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() < end) {
      long due = (System.nanoTime() - started) * PER_SECOND / 1_000_000_000;
      for (; sent < due; sent++) {
        program.send(
            sent % PARTITIONS,
            null,
            "key-" + sent,
            "{\"number\":%d,\"text\":\"Message %d.\"}".formatted(sent, sent));
      }
      read(outputs);
    }
  }

  private void finish(KafkaConsumer<String, String> outputs) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (results.size() < sent) {
      assertThat(System.nanoTime()).as("%d of %d", results.size(), sent).isLessThan(deadline);
      read(outputs);
    }
  }

  private void read(KafkaConsumer<String, String> outputs) {
    for (ConsumerRecord<String, String> record : outputs.poll(Duration.ofMillis(20))) {
      assertThat(record.topic()).isEqualTo("leaving.out");
      results.merge(record.key(), 1, Integer::sum);
      lastResult.put(Integer.parseInt(record.key().substring(4)) % PARTITIONS, System.nanoTime());
    }
    lastResult
        .values()
        .forEach(at -> silenceNanos = Math.max(silenceNanos, System.nanoTime() - at));
  }
}

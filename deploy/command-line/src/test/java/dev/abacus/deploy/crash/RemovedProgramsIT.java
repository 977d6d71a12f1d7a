package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.Worker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Names that only stand in the control topic, and programs that are applied and removed. Set {@code
 * abacus.names} for another number of them.
 */
class RemovedProgramsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int NAMES = Integer.getInteger("abacus.names", 300);

  /** Other tests of this process have programs too, so only the threads of these are counted. */
  private static final String PREFIX = "removed-";

  private static final String PROGRAM =
      """
      program: %1$s
      sources: { messages: { topic: %1$s.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: %1$s.out }
      models: [gpt-4o-mini]
      """;

  @TempDir private Path folder;

  @Test
  void onlyAppliedProgramsHaveThreadsAndARemovedOneContinuesIfItIsAppliedAgain() throws Exception {
    List<RunningProgram> programs = new ArrayList<>();
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS)) {
      for (String name : List.of(PREFIX + "one", PREFIX + "two", PREFIX + "three")) {
        programs.add(RunningProgram.open(kafka, PROGRAM.formatted(name), 1, Map.of()));
      }
      RunningProgram first = programs.getFirst();
      try (KafkaProducer<byte[], byte[]> control = producer(kafka);
          KafkaConsumer<String, String> results = first.outputs()) {
        pauseNames(control, "before");
        try (Worker _ = worker(kafka, models)) {
          await("the programs run", () -> programThreads().size() == programs.size());
          pauseNames(control, "after");
          first.send(0, null, "k", "{\"text\":\"first\"}");
          awaitResult(results);
          assertThat(programThreads()).hasSize(programs.size());

          for (RunningProgram program : programs) {
            program.remove();
          }
          await("no program is left", () -> programThreads().isEmpty());
          assertThat(threads("abacus-" + PREFIX)).isEmpty();

          first.become(PROGRAM.formatted(PREFIX + "one"), 2);
          first.send(0, null, "k", "{\"text\":\"second\"}");
          awaitResult(results);
          assertThat(programThreads()).containsExactly("abacus-program-" + PREFIX + "one");
        }
      }
    } finally {
      programs.forEach(RunningProgram::close);
    }
  }

  private interface Meanwhile {
    void run() throws Exception;
  }

  private static final Meanwhile NOTHING = () -> {};

  /** What a worker with one program uses, and how long its start took until a result. */
  private record Footprint(long threads, long bytes, double seconds) {}

  @Test
  void programsThatCameAndWentLeaveNoThreadsNoMemoryAndNoLongerStart() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram stays = RunningProgram.open(kafka, PROGRAM.formatted("stays"), 1, Map.of());
        KafkaConsumer<String, String> results = stays.outputs();
        KafkaProducer<byte[], byte[]> control = producer(kafka)) {
      Footprint before = footprint(kafka, models, stays, results, NOTHING);
      Footprint after =
          footprint(kafka, models, stays, results, () -> comeAndGo(control, results, stays));
      Footprint next = footprint(kafka, models, stays, results, NOTHING);
      System.out.printf(
          "%,d programs came and went: before %s, after %s, at the next start %s%n",
          NAMES, before, after, next);

      assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 3);
      assertThat(next.threads()).isLessThanOrEqualTo(before.threads() + 3);
      assertThat(after.bytes()).isLessThan(before.bytes() * 5 / 4);
      assertThat(next.bytes()).isLessThan(before.bytes() * 5 / 4);
      assertThat(next.seconds()).isLessThan(2 * before.seconds() + 5);
    }
  }

  private static void comeAndGo(
      KafkaProducer<byte[], byte[]> control,
      KafkaConsumer<String, String> results,
      RunningProgram stays)
      throws Exception {
    for (int i = 0; i < NAMES; i++) {
      List<ControlRecord> records =
          RunningProgram.records(
              new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM.formatted("passing-" + i)),
              1);
      records.forEach(record -> write(control, record, ControlCodec.encode(record)));
      records.forEach(record -> write(control, record, null));
    }
    control.flush();
    stays.send(0, null, "k", "{\"text\":\"behind\"}");
    awaitResult(results);
  }

  private Footprint footprint(
      LocalKafka kafka,
      SimulatedEndpoint models,
      RunningProgram program,
      KafkaConsumer<String, String> results,
      Meanwhile meanwhile)
      throws Exception {
    long begin = System.nanoTime();
    List<String> command =
        List.of(
            "worker",
            "--bootstrap-server",
            kafka.bootstrapServers(),
            "--data",
            folder.resolve("state").toString(),
            "--model-endpoint",
            models.baseUri().toString());
    try (PlaneProcess worker = PlaneProcess.command(command, folder.resolve("worker.log"))) {
      program.send(0, null, "k", "{\"text\":\"a message\"}");
      awaitResult(results);
      double seconds = (System.nanoTime() - begin) / 1e9;
      meanwhile.run();
      Footprint footprint = new Footprint(worker.threads(), worker.heapBytes(), seconds);
      assertThat(worker.terminate()).isZero(); // so that the next one need not wait for it
      return footprint;
    }
  }

  private static List<String> programThreads() {
    return threads("abacus-program-" + PREFIX);
  }

  private static List<String> threads(String part) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains(part))
        .toList();
  }

  private static void pauseNames(KafkaProducer<byte[], byte[]> control, String prefix) {
    for (int i = 0; i < NAMES; i++) {
      ControlRecord pause = new ControlRecord.Paused(prefix + i, true);
      write(control, pause, ControlCodec.encode(pause));
    }
    control.flush();
  }

  private static void write(
      KafkaProducer<byte[], byte[]> control, ControlRecord record, byte @Nullable [] value) {
    byte[] key = record.key().path().getBytes(StandardCharsets.UTF_8);
    var _ = control.send(new ProducerRecord<>(KafkaNames.UNPREFIXED.control(), key, value));
  }

  private static KafkaProducer<byte[], byte[]> producer(LocalKafka kafka) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers()),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint models) throws Exception {
    return RunningProgram.worker(kafka, models, folder.resolve("state"), Map.of());
  }

  private static void awaitResult(KafkaConsumer<String, String> results) {
    await("a result", () -> !results.poll(Duration.ofMillis(100)).isEmpty());
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("%s; %s", what, programThreads()).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }
}

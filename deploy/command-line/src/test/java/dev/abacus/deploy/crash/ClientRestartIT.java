package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.topology.Worker;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both stream threads of a program die, and its next client cannot start for some time. */
class ClientRestartIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int PARTITIONS = 2;

  private static final String PROGRAM =
      """
      program: held
      sources: { messages: { topic: held.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: held.out }
      models: [gpt-4o-mini]
      """;

  @TempDir private Path folder;

  @Test
  void aClientThatCannotStartIsTriedAgainAndOneReplacesAllThreads() throws Exception {
    // The broker refuses a result without a key, which ends the stream thread.
    Map<String, String> compacted = Map.of("cleanup.policy", "compact");
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, PARTITIONS, compacted);
        KafkaConsumer<String, String> outputs = program.outputs();
        Worker worker = worker(kafka, models)) {
      Set<String> topics = new HashSet<>();
      send(program, "key");
      await("results", () -> seen(outputs, topics).contains("held.out") ? topics : null);

      send(program, null);
      try (FileChannel file =
          FileChannel.open(folder.resolve("state/abacus-held/.lock"), StandardOpenOption.WRITE)) {
        try (FileLock _ = await("the lock of the state", () -> lock(file))) {
          await(
              "an attempt that fails",
              () ->
                  worker.threads().stream()
                      .map(thread -> Objects.requireNonNullElse(thread.cause(), ""))
                      .filter(cause -> cause.contains("Unable to initialize state"))
                      .findFirst()
                      .orElse(null));
        }
      }
      await("dead letters", () -> seen(outputs, topics).contains("held.dlq") ? topics : null);
      assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
          .filteredOn(name -> name.matches("abacus-held-[0-9a-f-]{36}-StreamThread-\\d+"))
          .hasSize(2);
    }
  }

  private static void send(RunningProgram program, @Nullable String key) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      program.send(partition, null, key, "{\"text\":\"%s %d\"}".formatted(key, partition));
    }
  }

  private static Set<String> seen(KafkaConsumer<String, String> outputs, Set<String> topics) {
    outputs.poll(Duration.ofMillis(100)).forEach(record -> topics.add(record.topic()));
    return topics;
  }

  private static @Nullable FileLock lock(FileChannel file) {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException | java.io.IOException e) {
      return null; // The client still has it.
    }
  }

  private static <T> T await(String what, Supplier<@Nullable T> attempt) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      T found = attempt.get();
      if (found != null) {
        return found;
      }
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint models) throws InterruptedException {
    return RunningProgram.worker(
        kafka, models, folder.resolve("state"), Map.of("num.stream.threads", "2"));
  }
}

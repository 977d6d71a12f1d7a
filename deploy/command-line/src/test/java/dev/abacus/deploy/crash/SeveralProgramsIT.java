package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One worker with programs that cannot work: a source that is missing, a topology that Kafka
 * Streams refuses, a cap that is reached. The others work, come and go, and what is mended starts.
 */
class SeveralProgramsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int DOCUMENTS = 30;

  @TempDir private Path folder;

  private static RunningProgram open(LocalKafka kafka, String name, String settings)
      throws Exception {
    return RunningProgram.open(
        kafka,
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
        %2$s
        """
            .formatted(name, settings),
        1,
        Map.of());
  }

  @Test
  void programsThatFailOrWaitDoNotStopTheOthers() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint models = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        RunningProgram good = open(kafka, "good", "");
        RunningProgram missing = open(kafka, "missing", "");
        RunningProgram refused = open(kafka, "refused", "");
        RunningProgram capped =
            open(kafka, "capped", "budget: { spending: { usd: 0.0001, per: 1h } }")) {
      admin.deleteTopics(List.of("missing.in")).all().get();
      admin
          .createTopics(
              List.of(
                  new NewTopic("abacus-refused-pending-topic-changelog", 3, (short) 1)
                      .configs(Map.of("cleanup.policy", "compact"))))
          .all()
          .get();
      KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
      List.of(good, refused, capped).forEach(SeveralProgramsIT::send);
      try (Worker worker = worker(kafka, models)) {
        awaitState(connection, "missing", state -> state.contains("'missing.in' does not exist"));
        admin.createTopics(List.of(new NewTopic("missing.in", 1, (short) 1))).all().get();
        send(missing);
        awaitResults(good, DOCUMENTS);
        awaitState(connection, "capped", state -> state.contains("are spent or reserved"));
        awaitState(connection, "refused", state -> state.contains("has invalid partitions"));

        good.remove();
        try (RunningProgram late = open(kafka, "late", "")) {
          send(late);
          awaitResults(late, DOCUMENTS);
        }
        awaitResults(missing, DOCUMENTS);

        assertThat(worker.failure()).isNotDone();
        assertThat(results(refused)).isZero();
        assertThat(results(capped)).isLessThan(DOCUMENTS);
      }
    }
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint models) throws InterruptedException {
    return RunningProgram.worker(
        kafka,
        models,
        folder.resolve("state"),
        Map.of(WorkerConfig.IN_FLIGHT, "8", WorkerConfig.STATUS_INTERVAL_MS, "200"));
  }

  private static void send(RunningProgram program) {
    for (int i = 0; i < DOCUMENTS; i++) {
      program.send(0, null, "k" + i, "{\"text\":\"Message %d.\"}".formatted(i));
    }
  }

  private static void awaitResults(RunningProgram program, int wanted) {
    try (KafkaConsumer<String, String> outputs = program.outputs()) {
      int seen = 0;
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (seen < wanted) {
        assertThat(System.nanoTime()).as("%d of %d", seen, wanted).isLessThan(deadline);
        seen += outputs.poll(Duration.ofMillis(100)).count();
      }
      assertThat(seen).isEqualTo(wanted);
    }
  }

  private static int results(RunningProgram program) {
    try (KafkaConsumer<String, String> outputs = program.outputs()) {
      return outputs.poll(Duration.ofMillis(500)).count();
    }
  }

  private static void awaitState(
      KafkaConnection connection, String program, Predicate<String> expected) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    List<String> states;
    do {
      LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
      states =
          TopicReader.status(connection).instances(program).stream()
              .map(InstanceStatus::state)
              .toList();
      assertThat(System.nanoTime()).as("%s: %s", program, states).isLessThan(deadline);
    } while (states.stream().noneMatch(expected));
  }
}

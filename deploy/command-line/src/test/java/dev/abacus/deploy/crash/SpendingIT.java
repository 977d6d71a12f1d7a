package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A burst of documents that costs several times the cap, two workers in JVMs of their own, and kill
 * -9 of both while they spend: the book of the endpoint says what each window cost.
 */
@Tag("measured") // spending per window is measured
class SpendingIT {

  private static final int PARTITIONS = 4;
  private static final int IN_FLIGHT = 20;
  private static final int WORKERS = 2;
  private static final double CAP = 0.006;
  private static final Duration WINDOW = Duration.ofSeconds(8);
  private static final int DOCUMENTS = 2_000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final String PROGRAM =
      """
      program: spending
      sources: { messages: { topic: spending.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: spending.out }
      models: [gpt-4o-mini]
      budget: { spending: { usd: %s, per: 8s } }
      """
          .formatted(CAP);

  @TempDir Path folder;

  private final Map<String, Integer> results = new HashMap<>();
  private final List<Double> windows = new ArrayList<>();
  private long window = System.currentTimeMillis() / WINDOW.toMillis();
  private double charged;

  @Test
  void noWindowCostsMoreThanTheCapAndEachNewOneResumes() throws Exception {
    List<PlaneProcess> workers = new ArrayList<>();
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(400)));
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, PARTITIONS, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs()) {
      for (int i = 0; i < DOCUMENTS; i++) {
        program.send(
            i % PARTITIONS,
            null,
            "key-" + i,
            "{\"number\":%d,\"text\":\"Message %d.\"}".formatted(i, i));
      }
      start(workers, kafka, endpoint);
      follow(outputs, endpoint, () -> usd(endpoint) > 0);
      followWindows(outputs, endpoint, 2);
      int usual = windows.size() - 1;
      double before = usd(endpoint);
      follow(outputs, endpoint, () -> usd(endpoint) > before + CAP / 3);
      for (PlaneProcess worker : workers) {
        worker.kill();
      }
      workers.clear();
      double killed = usd(endpoint) + WORKERS * IN_FLIGHT * before / calls(endpoint);
      start(workers, kafka, endpoint);
      follow(outputs, endpoint, () -> usd(endpoint) > killed);
      followWindows(outputs, endpoint, 2);

      double twiceACall = 2 * usd(endpoint) / calls(endpoint);
      String figures =
          "windows %s of $%s; %s".formatted(windows, CAP, RunningProgram.statistics(endpoint));
      assertThat(windows)
          .as(figures)
          .allSatisfy(usd -> assertThat(usd).isLessThan(CAP + WORKERS * IN_FLIGHT * twiceACall));
      assertThat(List.of(windows.get(usual), windows.getLast()))
          .as(figures)
          .allSatisfy(usd -> assertThat(usd).isGreaterThan(CAP * 0.8));
      assertThat(results.values()).as("results").containsOnly(1);
    } finally {
      workers.forEach(PlaneProcess::close);
    }
  }

  private void start(List<PlaneProcess> workers, LocalKafka kafka, SimulatedEndpoint endpoint)
      throws IOException {
    for (int i = 0; i < WORKERS; i++) {
      workers.add(
          PlaneProcess.worker(
              Map.of(
                  "bootstrap.servers",
                  kafka.bootstrapServers(),
                  "abacus.instance.id",
                  "worker-" + i,
                  "state.dir",
                  folder.resolve("state-" + i).toString(),
                  "abacus.in.flight",
                  String.valueOf(IN_FLIGHT),
                  "abacus.model.endpoint",
                  endpoint.baseUri().toString(),
                  "auto.offset.reset",
                  "earliest",
                  "session.timeout.ms",
                  "3000",
                  "heartbeat.interval.ms",
                  "500"),
              folder.resolve("worker-" + i + ".log")));
    }
  }

  /** A question to the endpoint. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  /** Reads results until a condition holds, and notes what each window that ends was charged. */
  private void follow(
      KafkaConsumer<String, String> outputs, SimulatedEndpoint endpoint, Condition until)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!until.holds()) {
      assertThat(System.nanoTime()).as("after windows %s", windows).isLessThan(deadline);
      read(outputs);
      long now = System.currentTimeMillis() / WINDOW.toMillis();
      if (now != window) {
        double usd = usd(endpoint);
        windows.add(usd - charged);
        charged = usd;
        window = now;
      }
    }
  }

  private void followWindows(
      KafkaConsumer<String, String> outputs, SimulatedEndpoint endpoint, int count)
      throws Exception {
    int end = windows.size() + count;
    follow(outputs, endpoint, () -> windows.size() >= end);
  }

  private void read(KafkaConsumer<String, String> outputs) {
    outputs
        .poll(Duration.ofMillis(10))
        .forEach(record -> {
          assertThat(record.topic()).isEqualTo("spending.out");
          results.merge(record.key(), 1, Integer::sum);
        });
  }

  private static int calls(SimulatedEndpoint endpoint) throws Exception {
    return RunningProgram.statistics(endpoint).path("calls").asInt();
  }

  private static double usd(SimulatedEndpoint endpoint) throws Exception {
    return RunningProgram.statistics(endpoint).path("usd").asDouble();
  }
}

package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.cli.Run;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code abacus replay} from outside: a broker, a worker without an optimizer, and the book of the
 * simulated endpoint, which says which calls were made.
 */
class ReplayIT {

  private static final int DOCUMENTS = 40;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final List<String> PRODUCTION = List.of("tried.in", "tried.out", "tried.dlq");

  private static final String PROGRAM =
      """
      program: tried
      sources: { messages: { topic: tried.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
        - filter: is-problem
          condition: Something went wrong.
          reads: [text]
      results: { topic: tried.out }
      models: [gpt-4o-mini, gpt-4o]
      """;

  @TempDir static Path folder;

  private static LocalKafka kafka;
  private static SimulatedEndpoint endpoint;
  private static RunningProgram program;
  private static Worker worker;

  @BeforeAll
  static void start() throws Exception {
    kafka = LocalKafka.start();
    endpoint =
        SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(100)));
    program = RunningProgram.open(kafka, PROGRAM, 2, Map.of());
    program.publish(2, "gpt-4o", 0.001);
    worker =
        RunningProgram.worker(
            kafka,
            endpoint,
            folder.resolve("state"),
            Map.of(WorkerConfig.STATUS_INTERVAL_MS, "200"));
    for (int i = 0; i < DOCUMENTS; i++) {
      program.send(i % 2, null, "key-" + i, "{\"text\":\"Message %d. It broke.\"}".formatted(i));
    }
    program.send(0, null, "broken", "no document");
    await();
  }

  /** Waits until all documents are processed: the endpoint has every call of them. */
  private static void await() throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    int dead = 0;
    try (KafkaConsumer<String, String> outputs = program.outputs()) {
      while (dead < 1 || calls() < 2 * DOCUMENTS) {
        assertThat(System.nanoTime()).as("%s calls", calls()).isLessThan(deadline);
        for (var record : outputs.poll(Duration.ofMillis(100))) {
          dead += record.topic().equals("tried.dlq") ? 1 : 0;
        }
      }
    }
    while (run("status", "tried", "-o", "json").json().findValue("pending").asInt() > 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
    }
  }

  @AfterAll
  static void stop() {
    worker.close();
    program.close();
    endpoint.close();
    kafka.close();
  }

  private static Run run(String... arguments) {
    return Run.on(kafka.bootstrapServers(), arguments);
  }

  private static int calls() throws Exception {
    return RunningProgram.statistics(endpoint).path("calls").asInt();
  }

  /** USD of all calls that the endpoint has answered. */
  private static double cost() throws Exception {
    double usd = 0;
    for (Map.Entry<String, JsonNode> model :
        RunningProgram.statistics(endpoint).path("models").properties()) {
      JsonNode tokens = model.getValue();
      usd +=
          Objects.requireNonNull(ModelCatalogue.builtIn().find(model.getKey()))
              .cost(
                  TokenCounts.of(
                      tokens.path("promptTokens").asLong(),
                      tokens.path("cachedTokens").asLong(),
                      tokens.path("completionTokens").asLong()));
    }
    return usd;
  }

  /** Ends of the production topics, committed offsets and groups. */
  private static Map<String, Object> production() throws Exception {
    Map<String, Object> seen = new TreeMap<>();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      Map<TopicPartition, OffsetSpec> wanted =
          PRODUCTION.stream()
              .flatMap(
                  topic -> Stream.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1)))
              .collect(Collectors.toMap(partition -> partition, _ -> OffsetSpec.latest()));
      admin
          .listOffsets(wanted)
          .all()
          .get()
          .forEach((partition, end) -> seen.put(partition.toString(), end.offset()));
      Set<String> groups = new TreeSet<>();
      admin.listGroups().all().get().forEach(group -> groups.add(group.groupId()));
      seen.put("groups", groups);
      seen.put(
          "committed",
          admin
              .listConsumerGroupOffsets("abacus-tried")
              .partitionsToOffsetAndMetadata()
              .get()
              .toString());
    }
    return seen;
  }

  @Test
  void thePlanInForceDiffersNowhereAndItsAnswersAreNotPaidAgain() throws Exception {
    Map<String, Object> before = production();
    int calls = calls();

    JsonNode report =
        run("replay", "tried", "--plan", "1", "--last", "100", "--max-usd", "1", "-o", "json")
            .json();

    assertThat(report.at("/documents/same").asInt()).isEqualTo(DOCUMENTS + 1);
    assertThat(report.path("differences")).isEmpty();
    assertThat(report.path("paidUsd").asDouble()).isZero();
    assertThat(report.at("/samePlan/documents").asInt()).isPositive();
    assertThat(report.at("/samePlan/different").asInt()).isZero();
    assertThat(report.at("/sameDocuments/candidate").asDouble())
        .isEqualTo(report.at("/sameDocuments/inForce").asDouble(), within(1e-9));
    assertThat(calls()).as("all answers stand in receipts").isEqualTo(calls);
    assertThat(production()).isEqualTo(before);
  }

  @Test
  void anotherPlanRunsOnceAndProductionIsUntouched() throws Exception {
    Map<String, Object> before = production();
    double cost = cost();

    Run first = run("replay", "tried", "--plan", "2", "--last", "20", "-o", "json");
    JsonNode report = first.json();

    assertThat(first.err()).contains("20 documents at about $0.001000 each: $0.0200");
    assertThat(report.at("/measured/documents").asInt()).as(first.out()).isEqualTo(20);
    assertThat(report.path("paidUsd").asDouble())
        .isPositive()
        .isEqualTo(cost() - cost, within(1e-6));
    assertThat(report.path("next").asText()).isEqualTo("abacus plan activate tried 2");
    assertThat(production()).isEqualTo(before);

    Run again =
        run(
            "replay",
            "tried",
            "--plan",
            "2",
            "--last",
            "20",
            "--judge",
            "--max-usd",
            "1",
            "-o",
            "json");
    JsonNode judged = again.json();
    assertThat(judged.path("fields")).isEqualTo(report.path("fields"));
    assertThat(judged.at("/measured/quality/mean").isNumber()).as(again.out()).isTrue();
    assertThat(judged.at("/measured/cost")).isEqualTo(report.at("/measured/cost"));
  }

  @Test
  void theLimitHolds() throws Exception {
    double cost = cost();
    JsonNode report =
        run(
                "replay",
                "tried",
                "--program",
                changed("Name the topic in one word.").toString(),
                "--since",
                "1h",
                "--max-usd",
                "0.0003",
                "-o",
                "json")
            .json();
    assertThat(report.path("stopped").asText()).contains("$0.000300");
    assertThat(report.at("/measured/documents").asInt()).isBetween(1, DOCUMENTS - 1);
    assertThat(cost() - cost).isPositive().isLessThanOrEqualTo(0.0003);
  }

  @Test
  void aChangedInstructionRunsUnderThePlanInForce() throws Exception {
    Run run =
        run(
            "replay",
            "tried",
            "--program",
            changed("Name the topic in two words.").toString(),
            "--last",
            "10",
            "--max-usd",
            "1");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("on 10 documents, against the results in force (epoch 1)")
        .contains("to put it in force: abacus apply ");
  }

  private static Path changed(String instruction) throws Exception {
    return Files.writeString(
        folder.resolve("changed-" + instruction.hashCode() + ".yaml"),
        PROGRAM.replace("What is the message about?", instruction));
  }

  @Test
  void aKilledCommandLeavesNothingBehind() throws Exception {
    Map<String, Object> before = production();
    int calls = calls();
    Path file = changed("Name the topic in a sentence.");
    Path log = folder.resolve("replay.log");
    try (PlaneProcess command =
        PlaneProcess.command(
            List.of(
                "replay",
                "tried",
                "--program",
                file.toString(),
                "--last",
                "40",
                "--in-flight",
                "2",
                "--max-usd",
                "1",
                "--bootstrap-server",
                kafka.bootstrapServers()),
            log)) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (calls() < calls + 4) {
        assertThat(System.nanoTime()).as(Files.readString(log)).isLessThan(deadline);
      }
      command.kill();
    }
    int killed = calls();
    JsonNode rest =
        run(
                "replay",
                "tried",
                "--program",
                file.toString(),
                "--last",
                "40",
                "--max-usd",
                "1",
                "-o",
                "json")
            .json();
    assertThat(rest.at("/measured/documents").asInt()).isEqualTo(40);
    assertThat(killed).isLessThan(calls + DOCUMENTS);
    assertThat(calls() - calls).as("no call is paid twice").isLessThanOrEqualTo(2 * DOCUMENTS);
    assertThat(production()).isEqualTo(before);
  }

  @Test
  void theBillEqualsTheBookOfTheEndpoint() throws Exception {
    assertThat(
            run(
                    "replay",
                    "tried",
                    "--plan",
                    "2",
                    "--last",
                    "3",
                    "--judge",
                    "--max-usd",
                    "1",
                    "-o",
                    "json")
                .json()
                .path("stopped")
                .isNull())
        .isTrue();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    JsonNode bill = run("cost", "tried", "-o", "json").json();
    // The other program of these tests calls models too, and workers write every 5 s.
    while (Math.abs(bill.path("usd").asDouble() + billOfGone() - cost()) > 1e-8) {
      assertThat(System.nanoTime()).as("%s, not %s", bill, cost()).isLessThan(deadline);
      bill = run("cost", "tried", "-o", "json").json();
    }
    assertThat(bill.path("usd").asDouble()).isPositive();
    assertThat(spendingTopic("tried")).isEqualTo(bill.path("usd").asDouble(), within(1e-9));
    double lines = 0;
    for (JsonNode line : bill.path("lines")) {
      lines += line.path("usd").asDouble();
      assertThat(line.path("operator").asText()).isIn("topic", "is-problem");
      assertThat(line.path("tier").asText()).isEqualTo("standard");
    }
    double purposes = 0;
    for (JsonNode purpose : bill.path("purposes")) {
      purposes += purpose.asDouble();
    }
    assertThat(lines).isEqualTo(bill.path("usd").asDouble(), within(1e-9));
    assertThat(purposes).isEqualTo(bill.path("usd").asDouble(), within(1e-9));
    assertThat(bill.path("purposes").properties().stream().map(Map.Entry::getKey))
        .containsExactlyInAnyOrder("judge", "live", "replay");
    assertThat(bill.path("documents").asInt()).as("without the invalid one").isEqualTo(DOCUMENTS);
    assertThat(bill.at("/saved/receiptsUsd").asDouble()).isNotNegative();
    assertThat(bill.at("/month/usd").asDouble())
        .isEqualTo(bill.path("usd").asDouble(), within(1e-9));
    assertThat(bill.at("/month/forecastUsd").asDouble()).isPositive();
    assertThat(run("cost", "tried").out()).contains("per result", "saved: prompt caches");
    assertThat(run("cost", "tried", "-o", "csv").out().lines())
        .hasSize(bill.path("lines").size() + 1);
    assertThat(run("cost", "tried", "--since", "soon").exit()).isEqualTo(2);
    assertThat(run("cost", "absent").out()).contains("no call was made in this time");
  }

  /** USD of the last record of each key on the spending topic, read with a consumer of Kafka. */
  private static double spendingTopic(String name) throws Exception {
    Map<String, Long> nanoUsd = new TreeMap<>();
    Map<String, Object> plain =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed");
    TopicPartition topic = new TopicPartition("abacus.spending", 0);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(plain, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(topic));
      consumer.seekToBeginning(List.of(topic));
      long end = consumer.endOffsets(List.of(topic)).get(topic);
      while (consumer.position(topic) < end) {
        for (var record : consumer.poll(Duration.ofMillis(100))) {
          if (record.key().startsWith(name + "/")
              && record.headers().lastHeader("abacus-bill") != null) {
            long sum = 0;
            for (JsonNode line : new ObjectMapper().readTree(record.value()).path("lines")) {
              sum += line.path("nanoUsd").asLong();
            }
            nanoUsd.put(record.key(), sum);
          }
        }
      }
    }
    return nanoUsd.values().stream().mapToLong(Long::longValue).sum() / 1e9;
  }

  private static double billOfGone() throws Exception {
    return run("cost", "gone", "-o", "json").json().path("usd").asDouble();
  }

  @Test
  void badInputIsNamed() {
    assertThat(run("replay", "tried", "--plan", "9", "--last", "5").err())
        .contains("tried has no plan of epoch 9")
        .contains("[1, 2]");
    assertThat(run("replay", "absent", "--plan", "1", "--last", "5").err())
        .contains("no program 'absent' is applied");
    assertThat(run("replay", "tried", "--plan", "1").exit()).isEqualTo(2);
    assertThat(run("replay", "tried", "--plan", "1", "--last", "5").err())
        .contains("the price of this plan is not known")
        .contains("--max-usd");
    assertThat(run("replay", "tried", "--plan", "2", "--last", "5", "--max-usd", "0.0001").err())
        .contains("one document costs about $0.001000");
    assertThat(run("replay", "tried", "--plan", "2", "--since", "soon").err())
        .contains("--since", "'soon' is not a length of time");
    assertThat(run("replay", "tried", "--plan", "2", "--last", "5", "--sample", "2").exit())
        .isEqualTo(2);
  }

  @Test
  void documentsThatAreGoneAreNamed() throws Exception {
    String text = PROGRAM.replace("tried", "gone");
    try (RunningProgram gone = RunningProgram.open(kafka, text, 1, Map.of())) {
      assertThat(awaitFailure("gone")).contains("no document has been processed yet");
      gone.send(0, null, "key", "{\"text\":\"Message.\"}");
      awaitCommitted();
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
        admin
            .deleteRecords(
                Map.of(new TopicPartition("gone.in", 0), RecordsToDelete.beforeOffset(1)))
            .all()
            .get();
      }
      assertThat(run("replay", "gone", "--plan", "1", "--last", "5", "--max-usd", "1").err())
          .contains("no processed document is on gone.in")
          .contains("Retention or compaction");
    }
  }

  /** Repeats until the worker has reported. */
  private static String awaitFailure(String name) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String error = "no worker";
    while (error.contains("no worker")) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      error = run("replay", name, "--plan", "1", "--last", "5", "--max-usd", "1").err();
    }
    return error;
  }

  private static void awaitCommitted() throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      while (admin
          .listConsumerGroupOffsets("abacus-gone")
          .partitionsToOffsetAndMetadata()
          .get()
          .isEmpty()) {
        assertThat(System.nanoTime()).isLessThan(deadline);
      }
    }
  }
}

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
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.WorkerConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two plans by key, seen by a producer, a consumer and a provider that know nothing of them, and by
 * the commands.
 */
class MixtureIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int KEYS = 300;
  private static final int UNUSUAL = 80;
  private static final double SHARE = 0.3;
  private static final String DEFINITION =
      """
      program: mixed
      sources: { messages: { topic: mixed.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: mixed.out }
      models: [gpt-4.1-nano, gpt-4.1]
      governor: { mixture: true }
      """;

  @TempDir private Path folder;

  /** Keys by the cost of their documents: the models' prices differ by a factor of 20. */
  private final Map<Boolean, Set<String>> keys =
      Map.of(true, new HashSet<>(), false, new HashSet<>());

  /** Documents whose answers the worker had before it was killed: they cost nothing again. */
  private int free;

  private static PhysicalPlan mixture() throws Exception {
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(DEFINITION);
    PlanChoice cheap = plan(program, "gpt-4.1-nano", new Estimate(0.6, 0.00002, 1));
    PlanChoice dear = plan(program, "gpt-4.1", new Estimate(0.9, 0.0004, 1));
    return new PhysicalPlan(
        program.name(), 2, cheap.mixedWith(dear, SHARE), program.objective(), List.of());
  }

  private static PlanChoice plan(Program program, String model, Estimate estimate) {
    return new PlanChoice(
        List.of(new PlanStep(program.operators().getFirst(), new ModelSelection(model))), estimate);
  }

  private static double cost(ConsumerRecord<String, String> result) {
    return Double.parseDouble(
        new String(result.headers().lastHeader(Headers.COST_USD).value(), StandardCharsets.UTF_8));
  }

  private void read(KafkaConsumer<String, String> outputs, int number) {
    int seen = 0;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (seen < number) {
      assertThat(System.nanoTime()).as("%d results", seen).isLessThan(deadline);
      for (ConsumerRecord<String, String> result : outputs.poll(Duration.ofMillis(200))) {
        assertThat(result.topic()).isEqualTo("mixed.out");
        double cost = cost(result);
        if (cost > 0) {
          Objects.requireNonNull(keys.get(cost > 0.00005)).add(result.key());
        } else {
          free++;
        }
        seen++;
      }
    }
  }

  @Test
  void allDocumentsOfAKeyGetTheSamePlanAlsoAfterAKill() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint models =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(100)));
        RunningProgram program = RunningProgram.open(kafka, DEFINITION, 2, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs()) {
      PhysicalPlan mixture = mixture();
      program.write(
          List.of(
              new ControlRecord.PlanPublished(mixture),
              new ControlRecord.Activated("mixed", mixture.epoch(), 1, "test", "test")));
      Map<String, String> settings = new HashMap<>();
      settings.put("bootstrap.servers", kafka.bootstrapServers());
      settings.put(WorkerConfig.STATE_DIR, folder.resolve("state").toString());
      settings.put(WorkerConfig.MODEL_ENDPOINT, models.baseUri().toString());
      settings.put("session.timeout.ms", "6000");
      settings.put("heartbeat.interval.ms", "1500");
      Path log = folder.resolve("worker.log");
      try (PlaneProcess worker = PlaneProcess.worker(settings, log)) {
        send(program, "first");
        read(outputs, KEYS);
        send(program, "second");
        worker.kill();
      }
      JsonNode calls;
      try (PlaneProcess _ = PlaneProcess.worker(settings, log)) {
        read(outputs, KEYS);
        calls = RunningProgram.statistics(models).path("models");
        assertReplayDrawsAsTheWorker(kafka, program, outputs);
      }
      assertThat(run(kafka, Stream.of("plan", "show", "mixed"))).contains("30 % of the keys");
      assertThat(run(kafka, Stream.of("plan", "list", "mixed"))).contains("30 % of the keys");

      Set<String> dear = Objects.requireNonNull(keys.get(true));
      Set<String> both = new HashSet<>(dear);
      both.retainAll(Objects.requireNonNull(keys.get(false)));
      // Of plans drawn for each document it would be 126; an answer in a wrong form is asked again.
      assertThat(both).as("keys of cheap and dear documents").hasSizeLessThan(KEYS / 30);
      assertThat(free).as("documents without a cost").isLessThan(KEYS / 2);
      assertThat(dear.size() / (double) KEYS).isEqualTo(SHARE, within(0.1));
      int always = dear.size() - both.size();
      assertThat(calls.path("gpt-4.1").path("calls").asInt())
          .isBetween(2 * always, 2 * always + KEYS / 30);
      assertThat(calls.path("gpt-4o-mini").path("calls").asInt()).isZero();
    }
  }

  /** Documents with an empty key share a plan, those without one do not. */
  private static void assertReplayDrawsAsTheWorker(
      LocalKafka kafka, RunningProgram program, KafkaConsumer<String, String> outputs)
      throws Exception {
    for (int i = 0; i < UNUSUAL; i++) {
      program.send(i % 2, null, i % 4 < 2 ? "" : null, "{\"text\":\"unusual %d\"}".formatted(i));
    }
    List<Double> withoutKey = new ArrayList<>();
    List<Double> withEmptyKey = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (int seen = 0; seen < UNUSUAL; ) {
      assertThat(System.nanoTime()).as("%d results", seen).isLessThan(deadline);
      for (ConsumerRecord<String, String> result : outputs.poll(Duration.ofMillis(200))) {
        (result.key() == null ? withoutKey : withEmptyKey).add(cost(result));
        seen++;
      }
    }
    assertThat(dear(withoutKey)).as("%s", withoutKey).isBetween(0.1, 0.6);
    // An answer in a wrong form is asked again, at twice the cost.
    assertThat(dear(withEmptyKey))
        .as("%s", withEmptyKey)
        .satisfiesAnyOf(
            share -> assertThat(share).isLessThan(0.1),
            share -> assertThat(share).isGreaterThan(0.9));

    JsonNode report =
        new ObjectMapper()
            .readTree(
                run(
                    kafka,
                    Stream.of(
                        "replay", "mixed", "--plan", "2", "--last", "" + UNUSUAL, "-o", "json")));
    assertThat(report.at("/documents/same").asInt()).as("%s", report).isEqualTo(UNUSUAL);
    assertThat(report.path("paidUsd").asDouble()).as("calls that the worker did not make").isZero();
  }

  private static double dear(List<Double> costs) {
    return costs.stream().filter(cost -> cost > 0.00005).count() / (double) costs.size();
  }

  private static String run(LocalKafka kafka, Stream<String> words) {
    Run run = Run.on(kafka.bootstrapServers(), words.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
    return run.out();
  }

  private static void send(RunningProgram program, String text) {
    for (int i = 0; i < KEYS; i++) {
      program.send(i % 2, null, "customer-" + i, "{\"text\":\"%s %d\"}".formatted(text, i));
    }
  }
}

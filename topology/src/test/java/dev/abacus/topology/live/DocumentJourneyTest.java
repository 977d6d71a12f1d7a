package dev.abacus.topology.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.MoreExecutors;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.WorkerConfig;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.journey.JourneySettings;
import dev.abacus.topology.journey.JourneyTexts;
import dev.abacus.topology.journey.Journeys;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.runtime.FairScheduler;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentJourneyTest {

  private static final String PROGRAM =
      """
      program: triage
      sources: { messages: { topic: in } }
      operators:
        - filter: urgent
          condition: It is urgent.
          reads: [text]
        - map: classify
          instruction: What is wanted?
          reads: [text]
          writes: { intent: string }
      results: { topic: out }
      """;

  @TempDir Path state;

  private final Instant now = Instant.parse("2026-03-02T10:00:00Z");
  private final List<Journey> written = new ArrayList<>();
  private boolean broken;

  @Test
  void aJourneyHasWhatEachStepAskedAndWasAnswered() throws Exception {
    run(settings(1, 60, null, true), "{\"text\":\"now!\"}");

    Journey journey = written.getFirst();
    assertThat(journey.source()).isEqualTo("in-0@0");
    assertThat(journey.key()).isEqualTo("d0");
    assertThat(journey.epoch()).isEqualTo(1);
    assertThat(journey.input()).isEqualTo("{\"text\":\"now!\"}");
    assertThat(journey.end()).isEqualTo(new Journey.End(Journey.Outcome.KEPT, "", "", 0.02, 1));
    assertThat(journey.steps())
        .extracting(Journey.Step::operator)
        .containsExactly("urgent", "classify");
    Journey.Step classify = journey.steps().getLast();
    assertThat(classify.implementation()).isEqualTo("model-selection(gpt-4o)");
    assertThat(classify.output()).isEqualTo("{\"intent\":\"refund\"}");
    assertThat(classify.costUsd()).isEqualTo(0.01);
    Journey.Call call = classify.calls().getFirst();
    assertThat(call.model()).isEqualTo("gpt-4o");
    assertThat(call.instructions()).contains("What is wanted?");
    assertThat(call.message()).contains("now!");
    assertThat(call.answer()).isEqualTo("{\"intent\":\"refund\"}");
  }

  @Test
  void droppedDocumentsAndDeadLettersSayWhereTheyEnded() throws Exception {
    run(settings(1, 60, null, true), "{\"text\":\"later\"}", "{\"text\":\"declined\"}");

    assertThat(written.getFirst().end().outcome()).isEqualTo(Journey.Outcome.DROPPED);
    assertThat(written.getFirst().end().operator()).isEqualTo("urgent");
    assertThat(written.getLast().end())
        .isEqualTo(
            new Journey.End(
                Journey.Outcome.FAILED, "urgent", "model gpt-4o: I will not", 0.0, 0.1));
    assertThat(written.getLast().steps().getFirst().calls().getFirst().failure())
        .isEqualTo("I will not");
  }

  @Test
  void aShareOfTheDocumentsAndAllDeadLettersAreRecorded() throws Exception {
    String[] documents = new String[400];
    for (int i = 0; i < documents.length; i++) {
      documents[i] = i < 3 ? "{\"text\":\"declined\"}" : "{\"text\":\"now\"}";
    }

    run(settings(0.1, 1000, null, true), documents);

    assertThat(written)
        .filteredOn(journey -> journey.end().outcome() == Journey.Outcome.FAILED)
        .hasSize(3);
    assertThat(written.size()).isBetween(20, 65);
  }

  @Test
  void theNumberPerMinuteIsBounded() throws Exception {
    run(settings(1, 2, null, true), "{\"text\":\"1\"}", "{\"text\":\"2\"}", "{\"text\":\"3\"}");

    assertThat(written).hasSize(2);
  }

  @Test
  void textsAreRedactedBeforeTheyAreShortened() throws Exception {
    String number = "4711-0815";
    String text = "x".repeat(3_800) + number + " now " + "y".repeat(20_000) + number;

    run(settings(1, 60, "\\d{4}-\\d{4}", true), "{\"text\":\"" + text + "\"}");

    String record = new String(Json.write(written.getFirst()), UTF_8);
    assertThat(record.contains("[hidden] now")).isTrue();
    assertThat(record.contains("4711")).isFalse();
    assertThat(record.length()).isLessThan(40_000);
  }

  @Test
  void withoutTextsOnlyFiguresRemain() throws Exception {
    run(settings(1, 60, null, false), "{\"text\":\"now: secret\"}");

    assertThat(new String(Json.write(written.getFirst()), UTF_8))
        .doesNotContain("secret", "refund", "d0", "What is wanted")
        .contains("model-selection(gpt-4o)", "in-0@0");
  }

  @Test
  void aTopicThatDoesNotTakeJourneysDelaysNoDocument() throws Exception {
    broken = true;

    assertThat(run(settings(1, 60, null, true), "{\"text\":\"now\"}")).isEqualTo(1);
    assertThat(written).isEmpty();
  }

  @Test
  void recordsNothingByDefaultAndRefusesAWrongPattern() {
    Map<String, String> worker = Map.of("bootstrap.servers", "none:1");
    assertThat(JourneySettings.of(new WorkerConfig(worker), "w")).isNull();
    assertThatThrownBy(() ->
            new WorkerConfig(
                Map.of("bootstrap.servers", "none:1", JourneySettings.HIDDEN, "(open")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(JourneySettings.HIDDEN);
  }

  private static JourneySettings settings(
      double share, int perMinute, @Nullable String hidden, boolean texts) {
    return new JourneySettings(
        share,
        perMinute,
        new JourneyTexts(texts, hidden == null ? null : Pattern.compile(hidden)),
        "worker-1");
  }

  /** The number of results. */
  private int run(JourneySettings settings, String... documents) throws Exception {
    ProgramPlans plans = new ProgramPlans();
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM);
    plans.apply(new ControlRecord.ProgramSet(program));
    activate(plans, program);
    Journeys.Writer writer =
        new Journeys.Writer() {
          @Override
          public void write(byte[] key, byte[] value) {
            if (broken) {
              throw new IllegalStateException("no topic");
            }
            try {
              Journey journey = Json.read(value, Journey.class);
              assertThat(new String(key, UTF_8)).isEqualTo(journey.source());
              written.add(journey);
            } catch (MalformedRecordException e) {
              throw new AssertionError(e);
            }
          }

          @Override
          public void close() {}
        };
    DocumentServices services =
        new DocumentServices(
            plans,
            new PlanExecutor(new OperatorRuntime(Embedders.of())),
            model(),
            null,
            new ProgramCounters(),
            InstantSource.fixed(now),
            null,
            () -> true,
            Tracing.OFF,
            SourceRange.ALL,
            new Journeys(
                settings,
                program.name(),
                writer,
                MoreExecutors.newDirectExecutorService(),
                InstantSource.fixed(now)),
            null);
    RuntimeSettings runtime = RuntimeSettings.defaults();
    try (TopologyTestDriver driver =
        new TopologyTestDriver(
            DocumentTopology.of(
                program,
                services,
                runtime,
                RuntimeServices.of(1).withScheduler(new FairScheduler(10, Runnable::run)),
                Partitions.ONE),
            new StreamsSettings(
                    "test", "none:1", state.toString(), 1, 0, runtime.recordLimit(), Map.of())
                .toProperties())) {
      TestInputTopic<String, String> in =
          driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
      for (int i = 0; i < documents.length; i++) {
        in.pipeInput("d" + i, documents[i]);
      }
      driver.advanceWallClockTime(Duration.ofSeconds(1));
      return driver
          .createOutputTopic("out", new StringDeserializer(), new StringDeserializer())
          .readValuesToList()
          .size();
    } finally {
      services.close();
    }
  }

  private static void activate(ProgramPlans plans, Program program) {
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator -> new PlanStep(operator, new ModelSelection("gpt-4o")))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(0.9, 0.02, 1));
    plans.apply(
        new ControlRecord.PlanPublished(
            new PhysicalPlan("triage", 1, choice, program.objective(), List.of())));
    plans.apply(new ControlRecord.Activated("triage", 1, 1, "test", "test"));
  }

  private static ModelClient model() {
    return request -> {
      String message = request.content().toString();
      if (message.contains("declined")) {
        return new ModelAnswer.Failed(
            new ModelFailure.Declined("I will not"), new ExecutionStats(0, 0.1, 1));
      }
      boolean filter =
          Objects.requireNonNull(request.responseSchema()).name().equals("filter_decision");
      return new ModelAnswer.Success(
          filter ? "{\"satisfied\":" + !message.contains("later") + "}" : "{\"intent\":\"refund\"}",
          new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 4, 1)),
          List.of());
    };
  }
}

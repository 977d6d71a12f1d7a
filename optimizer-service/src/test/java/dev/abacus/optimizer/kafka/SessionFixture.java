package dev.abacus.optimizer.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.PaperSettings;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Results;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A session of the optimizer over topics in memory; the test answers the tasks of its program. */
abstract class SessionFixture {

  static final Program PROGRAM = Given.program(Given.map("intent", "text"));
  static final String NAME = PROGRAM.name();

  /** Another program with the same source. */
  static final Program OTHER =
      new Program(
          "other",
          PROGRAM.sources(),
          PROGRAM.references(),
          PROGRAM.operators(),
          new Results("other-results", Format.JSON),
          Settings.defaults("other"));

  static final String SAMPLES = KafkaNames.UNPREFIXED.samples(NAME);
  static final String OBSERVATIONS = KafkaNames.UNPREFIXED.observations(NAME);
  static final String VALIDATION = PROGRAM.validation().topic();
  static final String OTHER_VALIDATION = "other-validation";
  static final String FEEDBACK = "corrections";
  static final String OTHER_FEEDBACK = "other-corrections";
  static final String DOCUMENTS = "documents";
  static final String AVRO_DOCUMENTS = "avro-documents";
  static final int EXAMPLES = 6;

  final TopicsInMemory topics =
      new TopicsInMemory(
          List.of(
              KafkaNames.UNPREFIXED.control(),
              KafkaNames.UNPREFIXED.status(),
              KafkaNames.UNPREFIXED.learnt(),
              KafkaNames.UNPREFIXED.rejections(),
              SAMPLES,
              OBSERVATIONS,
              VALIDATION,
              OTHER_VALIDATION,
              KafkaNames.UNPREFIXED.samples(OTHER.name()),
              KafkaNames.UNPREFIXED.observations(OTHER.name()),
              OTHER.validation().topic(),
              FEEDBACK,
              OTHER_FEEDBACK,
              KafkaNames.UNPREFIXED.review(NAME),
              DOCUMENTS,
              AVRO_DOCUMENTS));
  final StepClock clock = new StepClock();
  final RefusedPrograms refusals = new RefusedPrograms();
  private final Set<String> answered = new HashSet<>();

  /** Documents of a source that become examples of a program without any. */
  int copied;

  /** Reads the values of sources, examples and corrected results. */
  RecordValues values = RecordValues.WITHOUT_REGISTRY;

  TopicsInMemory.Connection connection = topics.new Connection();
  Session session = open();

  /** Advances by one second per turn. */
  static final class StepClock extends Clock {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  private Session open() {
    List<PhysicalOperator> models =
        Stream.of("llama-3.1-8b", "gpt-4o", "mixtral-8x7b")
            .map(model -> (PhysicalOperator) new ModelSelection(model))
            .toList();
    LoopSettings loop =
        PaperSettings.of(
            7, 6, 4, SearchOptions.DEFAULT, _ -> Map.of("intent", models), catalogue());
    KafkaSettings settings =
        new KafkaSettings(
            Map.of(),
            new KafkaSettings.TopicDefaults((short) 1, 1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            new KafkaSettings.ExampleSettings(copied, Duration.ofSeconds(15), true),
            GovernorSettings.DEFAULTS,
            loop);
    ValueReader reader = new ValueReader(values);
    Session opened =
        new Session(
            settings,
            connection.clients(),
            new RecordDecoder(new ControlCodec(catalogue(), RecordValues.WITHOUT_REGISTRY), reader),
            new StreamExamples(settings, reader, topics::reader),
            new ControlPlaneState(),
            new Supervisor(RestartPolicy.standard(_ -> true), clock),
            refusals,
            clock);
    opened.open();
    return opened;
  }

  private static ModelCatalogue catalogue() {
    return ModelCatalogue.builtIn();
  }

  void restart() {
    connection = topics.new Connection();
    session = open();
  }

  void turn() {
    connection.deliver();
    clock.now = clock.now.plusSeconds(1);
    session.turn();
    connection.collect();
  }

  void turns(int count) {
    for (int i = 0; i < count; i++) {
      turn();
    }
  }

  void writeProgram() {
    write(new ControlRecord.ProgramSet(PROGRAM));
  }

  /** Applies the program again, with another validation topic. */
  void writeProgramWithOtherValidation() {
    topics.write(
        KafkaNames.UNPREFIXED.control(),
        "program/" + NAME,
        bytes(
            new String(
                    ControlCodec.encode(new ControlRecord.ProgramSet(PROGRAM)),
                    StandardCharsets.UTF_8)
                .replace("\"" + VALIDATION + "\"", "\"" + OTHER_VALIDATION + "\"")));
  }

  void write(ControlRecord record) {
    topics.write(KafkaNames.UNPREFIXED.control(), record.key().path(), ControlCodec.encode(record));
  }

  void writeExamples() {
    writeExamples(VALIDATION);
  }

  void writeExamples(String topic) {
    for (int i = 0; i < EXAMPLES; i++) {
      topics.write(
          topic,
          "e" + i,
          bytes(
              "{\"document\": {\"text\": \"t%d\"}, \"labels\": {\"intent\": \"x\"}}".formatted(i)));
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  List<SampleTask> tasks() {
    return topics.log(SAMPLES).stream().map(record -> read(record, SampleTask.class)).toList();
  }

  static <T> T read(ConsumerRecord<byte[], byte[]> record, Class<T> type) {
    try {
      return Json.read(record.value(), type);
    } catch (MalformedRecordException e) {
      throw new AssertionError(e);
    }
  }

  /** Carries out the tasks that have no observation yet. */
  private void answer() {
    for (SampleTask task : tasks()) {
      if (answered.add(task.id())) {
        topics.write(OBSERVATIONS, task.id(), Json.write(observation(task)));
      }
    }
  }

  private static Observation observation(SampleTask task) {
    boolean best = task.physical().id().contains("gpt-4o");
    return Observation.of(task)
        .outcome(Observation.Outcome.KEPT)
        .outputs(
            List.of(task.input().with("intent", TextNode.valueOf("by " + task.physical().id()))))
        .quality(best ? 0.9 : 0.3)
        .scoredBy(Observation.ScoredBy.LABEL)
        .cost(0.001)
        .latency(1)
        .build();
  }

  void run(int turns) {
    for (int i = 0; i < turns; i++) {
      turn();
      answer();
    }
  }

  List<String> planKeys() {
    return topics.keys(KafkaNames.UNPREFIXED.control()).stream()
        .filter(key -> key.startsWith("plan/") || key.startsWith("active/"))
        .toList();
  }

  JsonNode status() throws Exception {
    return status(NAME);
  }

  JsonNode status(String program) throws Exception {
    return Json.read(
        topics.log(KafkaNames.UNPREFIXED.status()).stream()
            .filter(record ->
                new String(record.key(), StandardCharsets.UTF_8).equals(program + "/optimizer"))
            .toList()
            .getLast()
            .value(),
        JsonNode.class);
  }
}

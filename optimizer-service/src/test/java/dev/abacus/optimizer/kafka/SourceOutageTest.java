package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Validation;
import dev.abacus.schemas.value.RecordValues;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one program reads in Avro cannot be read for a time, because no registry answers. */
class SourceOutageTest extends SessionFixture {

  private static final Schema SCHEMA =
      SchemaBuilder.record("Message").fields().requiredString("text").endRecord();
  private static final Schema EXAMPLE =
      SchemaBuilder.record("Example")
          .fields()
          .name("document")
          .type(SCHEMA)
          .noDefault()
          .endRecord();
  private static final Schema CORRECTION =
      SchemaBuilder.record("Correction").fields().requiredString("intent").endRecord();
  private static final byte[] IN_AVRO = {0, 0, 0, 0, 1};
  private static final Program AVRO =
      new Program(
          NAME,
          List.of(new Source("documents", AVRO_DOCUMENTS, Format.AVRO, "id")),
          PROGRAM.references(),
          PROGRAM.operators(),
          PROGRAM.results(),
          PROGRAM.settings().withValidation(new Validation(VALIDATION, FEEDBACK, Map.of(), true)));

  /** Reads every value of a topic as the same one while the registry answers. */
  public static final class Values implements Deserializer<Object> {
    private static boolean answers;

    @Override
    public Object deserialize(String topic, byte[] data) {
      if (!answers) {
        throw new SerializationException("no schema", new ConnectException("refused"));
      }
      GenericData.Record document = new GenericData.Record(SCHEMA);
      document.put("text", "hello");
      if (topic.equals(VALIDATION)) {
        return of(EXAMPLE, "document", document);
      }
      return topic.equals(FEEDBACK) ? of(CORRECTION, "intent", "refund") : document;
    }

    private static GenericData.Record of(Schema schema, String field, Object value) {
      GenericData.Record record = new GenericData.Record(schema);
      record.put(field, value);
      return record;
    }
  }

  @BeforeEach
  void start() {
    Values.answers = false;
    values =
        new RecordValues(
            AvroValues.connect(
                Map.of(
                    "schema.registry.url",
                    "mock://source-outage",
                    "value.deserializer",
                    Values.class.getName())));
    copied = 2;
    restart();
    for (int i = 0; i < 300; i++) {
      topics.write(AVRO_DOCUMENTS, "key-" + i, IN_AVRO);
    }
    write(new ControlRecord.ProgramSet(OTHER));
    writeExamples(OTHER.validation().topic());
  }

  private void theOtherProgramIsSampled() {
    assertThat(topics.log(KafkaNames.UNPREFIXED.samples(OTHER.name()))).isNotEmpty();
  }

  @Test
  void examplesAreCopiedOnceTheRegistryAnswers() {
    write(new ControlRecord.ProgramSet(AVRO));
    turns(100);
    theOtherProgramIsSampled();
    assertThat(topics.log(VALIDATION)).isEmpty();
    assertThat(topics.readers).as("each look holds up all programs").isEqualTo(1);

    Values.answers = true;
    clock.now = clock.now.plus(Duration.ofMinutes(5));
    turns(40);
    assertThat(topics.log(VALIDATION)).hasSize(2);
  }

  @Test
  void correctedResultsBecomeExamplesOnceTheRegistryAnswers() {
    write(new ControlRecord.ProgramSet(AVRO));
    writeExamples();
    for (int i = 0; i < 30; i++) {
      topics.write(
          FEEDBACK,
          "key",
          bytes("{\"intent\": \"refund\"}"),
          new RecordHeader("abacus-source", bytes(AVRO_DOCUMENTS + "-0@" + i)));
    }
    run(20);
    theOtherProgramIsSampled();
    int readers = topics.readers;
    turns(20);
    assertThat(topics.readers - readers).as("each look holds up all programs").isLessThan(20);
    assertThat(topics.log(VALIDATION)).hasSize(EXAMPLES);

    Values.answers = true;
    clock.now = clock.now.plus(Duration.ofMinutes(5));
    turns(20);
    assertThat(topics.log(VALIDATION)).hasSize(EXAMPLES + 30);
    assertThat(topics.log(KafkaNames.UNPREFIXED.rejections())).isEmpty();
  }

  @Test
  void liveDocumentsAreDrawnOnceTheRegistryAnswers() {
    write(
        new ControlRecord.ProgramSet(
            AVRO.withSettings(AVRO.settings().withLearning(Learning.withoutAnswers(0.1, 0)))));
    writeExamples();
    run(40);
    theOtherProgramIsSampled();
    assertThat(planKeys()).contains("active/" + NAME);
    assertThat(topics.log(VALIDATION)).hasSize(EXAMPLES);

    Values.answers = true;
    clock.now = clock.now.plus(Duration.ofMinutes(5));
    turns(20);
    assertThat(topics.log(VALIDATION)).hasSizeGreaterThan(EXAMPLES);
  }

  @Test
  void anExampleThatCannotBeReadHoldsUpItsProgramAlone() throws Exception {
    write(new ControlRecord.ProgramSet(AVRO));
    topics.write(VALIDATION, "avro", IN_AVRO);
    writeExamples();
    turns(20);
    theOtherProgramIsSampled();
    assertThat(tasks()).isEmpty();
    assertThat(status().path("message").asText())
        .contains(VALIDATION + "-0@0", "schema registry", "tried again");

    Values.answers = true;
    clock.now = clock.now.plus(Duration.ofMinutes(1));
    turns(5);
    assertThat(tasks()).isNotEmpty();
    assertThat(status().path("phase").asText()).isEqualTo("SAMPLING");
  }

  @Test
  void aLaterExampleUnderTheSameKeyStaysTheLaterOne() throws Exception {
    write(new ControlRecord.ProgramSet(AVRO));
    topics.write(VALIDATION, "e0", IN_AVRO);
    writeExamples();
    turns(20);

    Values.answers = true;
    clock.now = clock.now.plus(Duration.ofMinutes(1));
    turns(5);
    assertThat(tasks())
        .isNotEmpty()
        .noneMatch(task -> task.input().get("text").asText().equals("hello"));
  }

  @Test
  void aCorrectedResultThatCannotBeReadHoldsUpItsProgramAlone() throws Exception {
    write(new ControlRecord.ProgramSet(AVRO));
    writeExamples();
    topics.write(
        FEEDBACK,
        "key",
        IN_AVRO,
        new RecordHeader("abacus-source", bytes(AVRO_DOCUMENTS + "-0@7")));
    run(20);
    theOtherProgramIsSampled();
    assertThat(status().path("message").asText()).contains(FEEDBACK + "-0@0", "schema registry");

    Values.answers = true;
    clock.now = clock.now.plus(Duration.ofMinutes(1));
    run(5);
    assertThat(topics.keys(VALIDATION)).contains("stream:" + AVRO_DOCUMENTS + "-0@7");
    assertThat(topics.log(KafkaNames.UNPREFIXED.rejections())).isEmpty();
  }
}

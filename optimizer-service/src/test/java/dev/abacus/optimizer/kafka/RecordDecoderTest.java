package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordDecoderTest {

  private static final String PROGRAM =
      """
      program: triage
      sources:
        messages: { topic: messages, format: json, key: id }
      operators:
        - filter: is-problem
          input: messages
          condition: Something went wrong.
          reads: [text]
      results: { topic: triaged, format: json }
      """;

  private final RecordDecoder decoder =
      new RecordDecoder(
          new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY),
          new ValueReader(RecordValues.WITHOUT_REGISTRY));
  private final Program program;

  RecordDecoderTest() throws Exception {
    program = new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM);
  }

  private static ConsumerRecord<byte[], byte[]> record(
      String topic, @Nullable String key, @Nullable String value) {
    return new ConsumerRecord<>(topic, 0, 0, bytes(key), bytes(value));
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private LoopEvent example(@Nullable String key, @Nullable String value) throws Exception {
    return decoder.example(record("triage.validation", key, value), program);
  }

  @Test
  void readsExamplesWithPartialLabelsOrNone() throws Exception {
    LoopEvent labelled =
        example(
            "e1",
            "{\"source\":\"messages\",\"document\":{\"text\":\"x\"},\"labels\":{\"is-problem\":true,\"other\":null}}");
    LoopEvent bare = example("e2", "{\"document\":{\"text\":\"y\"}}");

    assertThat(((LoopEvent.ExampleSet) labelled).example().labels()).containsOnlyKeys("is-problem");
    assertThat(((LoopEvent.ExampleSet) bare).example().source()).isEqualTo("messages");
    assertThat(((LoopEvent.ExampleSet) bare).example().document())
        .isEqualTo(Document.parse("{\"text\":\"y\"}"));
    assertThat(example("e1", null)).isEqualTo(new LoopEvent.ExampleRemoved("e1"));
  }

  @Test
  void saysWhatIsWrongWithAnExample() {
    assertRefused("e", "{", "not valid JSON");
    assertRefused("e", "{\"document\": 3}", "'document' must be");
    assertRefused("e", "{\"document\": {}, \"source\": \"mails\"}", "there are [messages]");
    assertRefused("e", "{\"document\": {}, \"labels\": 3}", "'labels' must be");
    assertRefused("e", "\0\0\0\0\7abc", "no schema registry is configured");
  }

  @Test
  void anExampleWithoutAKeyHasTheIdOfItsValueOrItsPosition() throws Exception {
    assertThat(id("{\"id\":\"v-1\",\"document\":{}}")).isEqualTo("v-1");
    assertThat(id("{\"id\":7,\"document\":{}}")).isEqualTo("7");
    assertThat(id("{\"document\":{\"id\":\"d\"}}")).isEqualTo("triage.validation-0@0");
    assertRefused(null, null, "no key"); // It does not say which example it removes.
  }

  private String id(String value) throws Exception {
    return ((LoopEvent.ExampleSet) example(null, value)).example().id();
  }

  private void assertRefused(@Nullable String key, @Nullable String value, String reason) {
    assertThatThrownBy(() -> example(key, value))
        .isInstanceOf(BadRecordException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void sampleTasksAndTheirStampsComeBackAsTheyWere() throws Exception {
    SampleTask task =
        SampleTask.builder("id", "triage")
            .operator(program.operators().getFirst())
            .physical(new ModelSelection("gpt-4o"))
            .exampleId("e1")
            .input(Document.parse("{\"text\":\"x\",\"n\":1.10}"))
            .metrics(Map.of("is-problem", new QualityMetric.Exact()))
            .judge("o4-mini")
            .build();
    SampleStamp stamp = new SampleStamp(7, 2, "again", "is-problem", "d", "e", false);

    ProducerRecord<byte[], byte[]> written =
        new RecordEncoder(KafkaNames.UNPREFIXED).encode("program", new DrawnSample(task, stamp));
    ConsumerRecord<byte[], byte[]> read =
        new ConsumerRecord<>(written.topic(), 0, 0, written.key(), written.value());
    written.headers().forEach(read.headers()::add);

    assertThat(decoder.sample(read)).isEqualTo(new DrawnSample(task, stamp));
  }

  @Test
  void theSamplesOfOneCallGoToOnePartition() throws Exception {
    SampleTask task =
        SampleTask.builder("first", "triage")
            .operator(program.operators().getFirst())
            .physical(new TupleBatch("gpt-4o", 4))
            .exampleId("e1")
            .input(Document.parse("{\"text\":\"x\"}"))
            .judge("o4-mini")
            .build()
            .inBatch("first", new SampleTask.Batch("call", 4, false));
    SampleStamp stamp = new SampleStamp(7, 2, "again", "is-problem", "d", "e", false);
    RecordEncoder encoder = new RecordEncoder(KafkaNames.UNPREFIXED);

    ProducerRecord<byte[], byte[]> written =
        encoder.encode("program", new DrawnSample(task, stamp));
    SampleTask second = task.inBatch("second", new SampleTask.Batch("call", 4, true));

    assertThat(encoder.encode("program", new DrawnSample(second, stamp)).key())
        .isEqualTo(written.key());
    assertThat(Json.read(written.value(), SampleTask.class)).isEqualTo(task);
  }

  @Test
  void refusesSamplesWithoutStampAndObservationsOfOthers() {
    assertThatThrownBy(() -> decoder.sample(record("triage.samples", "x", "{}")))
        .hasMessageContaining("no optimizer stamped");
    assertThatThrownBy(
            () -> decoder.observation(record("triage.observations", "x", "{}"), "triage"))
        .isInstanceOf(BadRecordException.class);
    assertThatThrownBy(
            () -> decoder.observation(record("triage.observations", "x", null), "triage"))
        .hasMessageContaining("no value");
  }
}

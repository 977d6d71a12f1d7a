package dev.abacus.optimizer.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.observation.Selection;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Makes validation examples of documents of the sources: of the first ones for a program without
 * any examples, without labels, so that the judge scores them, of those that run beside the plan,
 * without labels too, and of those whose results a user has corrected, with labels. They are
 * written to the validation topic. There everyone can see which examples a plan was chosen on, and
 * can add a label under the same key.
 */
record StreamExamples(
    KafkaSettings settings, ValueReader values, Supplier<Consumer<byte[], byte[]>> consumers) {

  private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * Records for the validation topic; empty if the sources have no readable document.
   *
   * @param known finds examples by id: their labels stay
   */
  List<ProducerRecord<byte[], byte[]>> of(
      Program program, Function<String, @Nullable ValidationExample> known) {
    List<ProducerRecord<byte[], byte[]>> examples = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      for (Source source : program.sources()) {
        for (ConsumerRecord<byte[], byte[]> record : first(consumer, source)) {
          try {
            examples.add(example(program, source, record, known));
          } catch (BadRecordException e) {
            // The data plane writes the document to the dead letters.
          }
        }
      }
    }
    return examples;
  }

  private ProducerRecord<byte[], byte[]> example(
      Program program,
      Source source,
      ConsumerRecord<byte[], byte[]> record,
      Function<String, @Nullable ValidationExample> known)
      throws BadRecordException {
    String id = ExampleIds.COPIED + RecordPosition.of(record);
    ObjectNode value = value(source, record);
    ValidationExample before = known.apply(id);
    if (before != null) {
      // The document was chosen because of its answers; now it is one of those that are drawn.
      label(value, before.labels(), Selection.LABEL);
    }
    return example(program, id, value);
  }

  private static void label(ObjectNode value, Map<String, JsonNode> labels, Selection selected) {
    ObjectNode node = value.putObject("labels");
    labels.forEach(node::set);
    if (selected != Selection.NONE) {
      value.put("selected", selected.label());
    }
  }

  private ObjectNode value(Source source, ConsumerRecord<byte[], byte[]> record)
      throws BadRecordException {
    ObjectNode value = JsonNodeFactory.instance.objectNode().put("source", source.name());
    value.set("document", values.read(source, record).toJson());
    return value;
  }

  private ProducerRecord<byte[], byte[]> example(Program program, String id, ObjectNode value) {
    return new ProducerRecord<>(
        settings.names().validation(program),
        id.getBytes(StandardCharsets.UTF_8),
        Json.write(value));
  }

  /**
   * The record for the validation topic that a corrected result makes of its document.
   *
   * @param selected what was chosen because of answers
   * @param asked when the label was asked for; null if it was not
   * @throws BadRecordException if the document is gone or unreadable
   * @throws org.apache.kafka.common.KafkaException if the source, or its schemas, cannot be read
   */
  ProducerRecord<byte[], byte[]> of(
      Program program, CorrectedResult result, Selection selected, @Nullable Instant asked)
      throws BadRecordException {
    ObjectNode value;
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      value = value(result.source(), document(consumer, result.document()));
    }
    label(value, result.labels(), selected);
    ProducerRecord<byte[], byte[]> example = example(program, result.exampleId(), value);
    example
        .headers()
        .add(CorrectedResult.HEADER, result.position().toString().getBytes(StandardCharsets.UTF_8));
    if (asked != null) {
      example.headers().add(Reviews.HEADER, asked.toString().getBytes(StandardCharsets.UTF_8));
    }
    return example;
  }

  /** The same of a drawn document, without labels. */
  ProducerRecord<byte[], byte[]> of(
      Program program, LiveDocuments.Drawn drawn, Consumer<byte[], byte[]> consumer)
      throws BadRecordException {
    ConsumerRecord<byte[], byte[]> record = document(consumer, drawn.document());
    return example(program, drawn.exampleId(), value(drawn.source(), record));
  }

  /** Removes an example. */
  ProducerRecord<byte[], byte[]> tombstone(Program program, String exampleId) {
    return new ProducerRecord<>(
        settings.names().validation(program), exampleId.getBytes(StandardCharsets.UTF_8), null);
  }

  private static ConsumerRecord<byte[], byte[]> document(
      Consumer<byte[], byte[]> consumer, RecordPosition document) throws BadRecordException {
    TopicPartition partition = new TopicPartition(document.topic(), document.partition());
    long offset = document.offset();
    long end = TopicRange.all(consumer, partition.topic()).end().getOrDefault(partition, 0L);
    if (offset < end) {
      List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
      new TopicRange(Map.of(partition, offset), Map.of(partition, offset + 1))
          .read(consumer, READ_TIMEOUT, found::add);
      if (!found.isEmpty() && found.getFirst().value() != null) {
        return found.getFirst();
      }
    }
    throw new BadRecordException(
        document
            + " is not on the source topic any more; write a labelled example to the validation topic");
  }

  private List<ConsumerRecord<byte[], byte[]>> first(
      Consumer<byte[], byte[]> consumer, Source source) {
    TopicRange all = TopicRange.all(consumer, source.topic());
    all.from().forEach(consumer::seek);
    int each = Math.ceilDiv(settings.examples().fromSource(), Math.max(1, all.end().size()));
    Map<TopicPartition, Integer> taken = new HashMap<>();
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    long deadline = System.nanoTime() + READ_TIMEOUT.toNanos();
    while (System.nanoTime() < deadline && !done(consumer, all.end(), taken, each)) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        TopicPartition partition = TopicReader.partition(record);
        if (record.value() != null && taken.merge(partition, 1, Integer::sum) <= each) {
          records.add(record);
        }
      }
    }
    return records;
  }

  private static boolean done(
      Consumer<byte[], byte[]> consumer,
      Map<TopicPartition, Long> ends,
      Map<TopicPartition, Integer> taken,
      int each) {
    return ends.entrySet().stream()
        .allMatch(end ->
            taken.getOrDefault(end.getKey(), 0) >= each
                || consumer.position(end.getKey()) >= end.getValue());
  }
}

package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** Sends the input of a job to the topics of its program. */
final class JobSender {

  private final KafkaConnection connection;
  private final Program program;
  private final DocumentFormats formats;
  private long newest;

  JobSender(KafkaConnection connection, Program program, DocumentFormats formats) {
    this.connection = connection;
    this.program = program;
    this.formats = formats;
  }

  /** Sends validation examples; returns when Kafka has acknowledged all. */
  void examples(Map<String, ObjectNode> examples) {
    String topic = connection.names().validation(program);
    var _ =
        send(
            examples.entrySet().stream()
                .map(one -> record(topic, one.getKey(), Json.write(one.getValue()))));
  }

  /** Sends reference items; returns when Kafka has acknowledged all. */
  void items(Reference reference, List<InputDocument> items) {
    formats.require(reference.topic(), reference.format());
    put(reference.topic(), reference.format(), items);
  }

  /**
   * Sends documents; returns when Kafka has acknowledged all.
   *
   * @return the position of each document, as {@code topic-partition@offset}
   */
  List<String> documents(Source source, List<InputDocument> documents) {
    List<String> positions = new ArrayList<>();
    for (RecordMetadata metadata : put(source.topic(), source.format(), documents)) {
      positions.add(
          new RecordPosition(metadata.topic(), metadata.partition(), metadata.offset()).toString());
      newest = Math.max(newest, metadata.timestamp());
    }
    return positions;
  }

  /**
   * Sends a {@link Headers#WATERMARK} to each partition of the sources.
   *
   * @param partitions those of the sources
   * @param beyond time by which the watermark exceeds the last document's timestamp
   */
  void watermarks(Collection<TopicPartition> partitions, Duration beyond) {
    long complete = Math.max(newest, System.currentTimeMillis()) + beyond.toMillis();
    byte[] mark = Long.toString(complete).getBytes(StandardCharsets.UTF_8);
    var _ = send(partitions.stream().map(partition -> watermark(partition, mark)));
  }

  private static ProducerRecord<byte[], byte[]> watermark(TopicPartition partition, byte[] mark) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(partition.topic(), partition.partition(), null, null);
    record.headers().add(Headers.WATERMARK, mark);
    return record;
  }

  private List<RecordMetadata> put(
      String topic, Program.Format format, List<InputDocument> documents) {
    return send(
        documents.stream()
            .map(one -> record(topic, one.key(), formats.write(topic, format, one.document()))));
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String key, byte[] value) {
    return new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value);
  }

  private List<RecordMetadata> send(Stream<ProducerRecord<byte[], byte[]>> records) {
    return connection.send(records.toList(), Map.of(), "the input is not complete");
  }
}

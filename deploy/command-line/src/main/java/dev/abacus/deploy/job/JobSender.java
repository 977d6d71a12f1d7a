package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaFutures;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;

/** Sends the input of a job to the topics of its program. */
final class JobSender implements AutoCloseable {

  private final KafkaNames names;
  private final Program program;
  private final DocumentFormats formats;
  private final Producer<byte[], byte[]> producer;
  private long newest;

  JobSender(KafkaConnection connection, Program program, DocumentFormats formats) {
    this.names = connection.names();
    this.program = program;
    this.formats = formats;
    this.producer = connection.producer(Map.of());
  }

  /** Sends validation examples; returns when Kafka has acknowledged all. */
  void examples(Map<String, ObjectNode> examples) {
    var _ =
        send(
            examples.entrySet().stream()
                .map(one ->
                    record(names.validation(program), one.getKey(), Json.write(one.getValue()))));
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
   * @param beyond time by which the watermark exceeds the last document's timestamp
   */
  void watermarks(Duration beyond) {
    long complete = Math.max(newest, System.currentTimeMillis()) + beyond.toMillis();
    byte[] mark = Long.toString(complete).getBytes(StandardCharsets.UTF_8);
    List<ProducerRecord<byte[], byte[]>> marks = new ArrayList<>();
    for (String topic : program.sources().stream().map(Source::topic).distinct().toList()) {
      for (PartitionInfo partition : producer.partitionsFor(topic)) {
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(topic, partition.partition(), null, null);
        record.headers().add(Headers.WATERMARK, mark);
        marks.add(record);
      }
    }
    var _ = send(marks.stream());
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

  /** Sends records; returns when Kafka has acknowledged all. */
  private List<RecordMetadata> send(Stream<ProducerRecord<byte[], byte[]>> records) {
    List<Future<RecordMetadata>> sent = records.map(producer::send).toList();
    try {
      List<RecordMetadata> metadata = new ArrayList<>();
      for (Future<RecordMetadata> future : sent) {
        metadata.add(KafkaFutures.get(future));
      }
      return metadata;
    } catch (KafkaException e) {
      throw new OperationFailedException(
          "Kafka did not take a record: " + e.getMessage(),
          "Check the topic's size limit and whether this user may write to it.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OperationFailedException("interrupted while sending", "Run it again.", e);
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
  }
}

package dev.abacus.deploy.cluster;

import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlFold;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Reads and writes the desired state on the control topic. */
public final class ControlTopic {

  private final KafkaConnection connection;
  private final ControlCodec codec;

  public ControlTopic(KafkaConnection connection, ControlCodec codec) {
    this.connection = connection;
    this.codec = codec;
  }

  /**
   * Reads the state in force. An invalid record is ignored, as workers and optimizer do: the
   * previous value stays in force.
   *
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public ControlState read() {
    connection.requireTopics(List.of(Topics.CONTROL));
    ControlFold fold = new ControlFold(codec);
    TopicReader.read(connection, Topics.CONTROL, record -> fold.accept(record));
    return new ControlState(fold.records(), refused(fold), fold.activeBefore());
  }

  /** The rejections of control records that no later record of the key has replaced. */
  private List<Rejection> refused(ControlFold fold) {
    Map<String, Rejection> last = new LinkedHashMap<>();
    if (connection.topics().contains(Topics.REJECTIONS)) {
      TopicReader.read(connection, Topics.REJECTIONS, record -> rejected(record, last));
    }
    return last.values().stream().filter(fold::isCurrent).toList();
  }

  private static void rejected(ConsumerRecord<byte[], byte[]> record, Map<String, Rejection> last) {
    try {
      if (record.value() != null) {
        Rejection rejection = Json.read(record.value(), Rejection.class);
        ControlKey key = ControlKey.parse(rejection.key());
        last.put(key.path(), rejection);
      }
    } catch (MalformedRecordException | IllegalArgumentException e) {
      // A rejection of another topic, or of a newer version.
    }
  }

  /**
   * Writes records, in this order.
   *
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public void write(List<ControlRecord> records) {
    connection.requireTopics(List.of(Topics.CONTROL));
    Map<ControlKey, byte @Nullable []> values = new LinkedHashMap<>();
    records.forEach(record -> values.put(record.key(), ControlCodec.encode(record)));
    send(values);
  }

  /** Writes one record; see {@link #write(List)}. */
  public void write(ControlRecord record) {
    write(List.of(record));
  }

  /**
   * Removes values by tombstones.
   *
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public void remove(List<ControlKey> keys) {
    connection.requireTopics(List.of(Topics.CONTROL));
    Map<ControlKey, byte @Nullable []> values = new LinkedHashMap<>();
    keys.forEach(key -> values.put(key, null));
    send(values);
  }

  private void send(Map<ControlKey, byte @Nullable []> values) {
    try (Producer<byte[], byte[]> producer = connection.producer(Map.of())) {
      for (var entry : values.entrySet()) {
        byte[] key = entry.getKey().path().getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(Topics.CONTROL, key, entry.getValue())).get();
      }
    } catch (KafkaException | ExecutionException e) {
      throw refused(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused(e);
    }
  }

  private static OperationFailedException refused(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new OperationFailedException(
        "nothing was changed: Kafka did not take the record: " + cause.getMessage(),
        "Check the connection and whether this user may write to " + Topics.CONTROL + ".",
        e);
  }
}

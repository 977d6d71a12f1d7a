package dev.abacus.deploy.cluster;

import dev.abacus.schemas.control.AcceptedOffsets;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InvalidControlException;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.control.Restoration;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Reads and writes the desired state on the control topic. */
public final class ControlTopic {

  private final KafkaConnection connection;
  private final KafkaNames names;
  private final ControlCodec codec;

  public ControlTopic(KafkaConnection connection, ControlCodec codec) {
    this.connection = connection;
    this.names = connection.names();
    this.codec = codec;
  }

  /**
   * Reads the state in force. An invalid record is ignored, as workers and optimizer do: the
   * previous value stays in force.
   *
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public ControlState read() {
    connection.requireTopics(List.of(names.control()));
    Map<ControlKey, ControlRecord> records = new LinkedHashMap<>();
    AcceptedOffsets accepted = new AcceptedOffsets();
    Map<String, Deque<Long>> epochs = new LinkedHashMap<>();
    TopicReader.read(
        connection, names.control(), record -> apply(record, records, accepted, epochs));
    return new ControlState(records, refused(accepted), epochsBefore(epochs));
  }

  /** The rejections of control records that no later record of the key has replaced. */
  private List<Rejection> refused(AcceptedOffsets accepted) {
    Map<String, Rejection> last = new LinkedHashMap<>();
    if (connection.topics().contains(names.rejections())) {
      TopicReader.read(connection, names.rejections(), record -> rejected(record, last));
    }
    return last.values().stream()
        .filter(rejection -> {
          AcceptedOffsets.Accepted inForce = accepted.get(rejection.key());
          return inForce == null || inForce.original() < rejection.offset();
        })
        .toList();
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

  private void apply(
      ConsumerRecord<byte[], byte[]> record,
      Map<ControlKey, ControlRecord> records,
      AcceptedOffsets accepted,
      Map<String, Deque<Long>> epochs) {
    if (record.key() == null) {
      return;
    }
    try {
      ControlKey key = ControlKey.parse(new String(record.key(), StandardCharsets.UTF_8));
      Restoration restoration = Restoration.of(record.headers());
      if (accepted.isStale(key.path(), restoration)) {
        return;
      }
      ControlRecord decoded = codec.decode(key, record.value());
      accepted.accept(key.path(), record.offset(), restoration);
      if (decoded == null) {
        records.remove(key);
      } else {
        records.put(key, decoded);
        if (decoded instanceof ControlRecord.Activated activated && restoration == null) {
          follow(activated, epochs.computeIfAbsent(key.program(), _ -> new ArrayDeque<>()));
        }
      }
    } catch (IllegalArgumentException | InvalidControlException e) {
      // Workers and optimizer reject it with a reason on the rejections topic.
    }
  }

  /** Adds an epoch to those that were active; a return to the one before removes the last. */
  private static void follow(ControlRecord.Activated activated, Deque<Long> epochs) {
    if (Long.valueOf(activated.epoch()).equals(epochs.peek())) {
      return;
    }
    Long last = epochs.poll();
    if (last != null && !Long.valueOf(activated.epoch()).equals(epochs.peek())) {
      epochs.push(last);
      epochs.push(activated.epoch());
    } else if (last == null) {
      epochs.push(activated.epoch());
    }
  }

  private static Map<String, Long> epochsBefore(Map<String, Deque<Long>> epochs) {
    Map<String, Long> before = new LinkedHashMap<>();
    epochs.forEach((program, active) ->
        active.stream().skip(1).findFirst().ifPresent(epoch -> before.put(program, epoch)));
    return before;
  }

  /**
   * Writes records, in this order.
   *
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public void write(List<ControlRecord> records) {
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
    Map<ControlKey, byte @Nullable []> values = new LinkedHashMap<>();
    keys.forEach(key -> values.put(key, null));
    send(values);
  }

  private void send(Map<ControlKey, byte @Nullable []> values) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    values.forEach((key, value) ->
        records.add(
            new ProducerRecord<>(
                names.control(), key.path().getBytes(StandardCharsets.UTF_8), value)));
    connection.send(records, Map.of(), "nothing was changed");
  }
}

package dev.abacus.deploy.cluster;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlFold;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Reads and writes the desired state on the control topic. */
public final class ControlTopic {

  private final KafkaConnection connection;
  private final KafkaNames names;
  private final ControlCodec codec;

  /**
   * The topic of a cluster. Records in Avro are read if the connection names a schema registry.
   *
   * @param catalogue the models that programs may name
   */
  public ControlTopic(KafkaConnection connection, ModelCatalogue catalogue) {
    this.connection = connection;
    this.names = connection.names();
    this.codec =
        new ControlCodec(catalogue, new RecordValues(AvroValues.connect(connection.properties())));
  }

  /**
   * Reads the state in force. An invalid record is ignored, as workers and optimizer do: the
   * previous value stays in force.
   *
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public ControlState read() {
    connection.requireTopics(List.of(names.control()));
    ControlFold fold = new ControlFold(codec);
    TopicReader.read(connection, names.control(), record -> fold.accept(record));
    TopicReader.readPresent(connection, names.rejections(), record -> fold.reject(record.value()));
    return new ControlState(fold.snapshot());
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
   * Applies a program. One that is in force already is not written again, because a program record
   * behind the activation of a plan by a user lets the optimizer replace that plan. Workers only
   * call models again that they wait for.
   *
   * @param state the values in force
   * @return whether the program is written
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public boolean apply(ControlState state, Program program) {
    ControlRecord record = new ControlRecord.ProgramSet(program);
    ControlRecord inForce = state.records().get(record.key());
    boolean refused =
        state.refused().stream().anyMatch(last -> last.key().equals(record.key().path()));
    if (inForce == null
        || refused
        || !Arrays.equals(ControlCodec.encode(inForce), ControlCodec.encode(record))) {
      write(record);
      return true;
    }
    if (!state.paused(program.name())) {
      write(new ControlRecord.Paused(program.name(), false));
    }
    return false;
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
    String by = System.getProperty("user.name", "someone") + " by command";
    values.forEach((key, value) -> {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(names.control(), key.path().getBytes(StandardCharsets.UTF_8), value);
      record.headers().add(Headers.BY, by.getBytes(StandardCharsets.UTF_8));
      records.add(record);
    });
    connection.send(records, Map.of(), "nothing was changed");
  }
}

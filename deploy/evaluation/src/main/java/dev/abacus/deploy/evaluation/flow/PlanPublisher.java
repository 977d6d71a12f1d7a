package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.KafkaNames;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Publishes and activates plans on the control topic and records the activation times. */
final class PlanPublisher {

  private final TwoMapProgram program;
  private final Producer<byte[], byte[]> producer;
  private final Map<Long, Long> activations = new HashMap<>();
  private long epoch;

  PlanPublisher(TwoMapProgram program, Producer<byte[], byte[]> producer) {
    this.program = program;
    this.producer = producer;
  }

  /** Creates the topics of a program, and publishes it with its first plan. */
  static void begin(KafkaConnection connection, TwoMapProgram program, int partitions) {
    TopicCreation creation = new TopicCreation(partitions, 1);
    creation.createShared(connection);
    creation.create(connection, program.program());
    try (Producer<byte[], byte[]> producer = connection.producer(Map.of())) {
      new PlanPublisher(program, producer).begin();
    }
  }

  /** Publishes the program and its first plan. */
  void begin() {
    send(program.definition());
    next();
  }

  /** Publishes the next plan and activates it for all new documents. */
  void next() {
    epoch++;
    send(program.plan(epoch));
    activations.put(epoch, System.nanoTime());
    send(program.activation(epoch));
    producer.flush();
  }

  private void send(ControlRecord record) {
    byte[] key = record.key().path().getBytes(StandardCharsets.UTF_8);
    var _ =
        producer.send(
            new ProducerRecord<>(
                KafkaNames.UNPREFIXED.control(), key, ControlCodec.encode(record)));
  }

  /** Returns the epoch of the latest plan. */
  long epoch() {
    return epoch;
  }

  /** Returns the {@link System#nanoTime} at which the activation of an epoch was sent. */
  long activation(long ofEpoch) {
    return activations.getOrDefault(ofEpoch, 0L);
  }
}

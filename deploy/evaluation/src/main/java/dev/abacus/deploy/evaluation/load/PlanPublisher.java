package dev.abacus.deploy.evaluation.load;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Publishes and activates plans on the control topic and records the activation times. */
public final class PlanPublisher implements AutoCloseable {

  private final BenchmarkProgram program;
  private final String topic;
  private final Producer<byte[], byte[]> producer;
  private final Map<Long, Long> activations = new HashMap<>();
  private long epoch;

  private PlanPublisher(KafkaConnection connection, BenchmarkProgram program) {
    this.program = program;
    this.topic = connection.names().control();
    this.producer = connection.producer(Map.of("linger.ms", 0));
  }

  /** Publishes a program and its first plan. */
  static PlanPublisher begin(KafkaConnection connection, BenchmarkProgram program) {
    PlanPublisher publisher = new PlanPublisher(connection, program);
    publisher.send(program.definition());
    publisher.next();
    return publisher;
  }

  /** Publishes the next plan and activates it for all new documents. */
  public void next() {
    epoch++;
    send(program.plan(epoch));
    activations.put(epoch, System.nanoTime());
    send(program.activation(epoch));
    producer.flush();
  }

  private void send(ControlRecord record) {
    byte[] key = record.key().path().getBytes(StandardCharsets.UTF_8);
    var _ = producer.send(new ProducerRecord<>(topic, key, ControlCodec.encode(record)));
  }

  /** Returns the epoch of the latest plan. */
  public long epoch() {
    return epoch;
  }

  /** Returns the {@link System#nanoTime} at which the activation of each epoch was sent. */
  public Map<Long, Long> activations() {
    return activations;
  }

  @Override
  public void close() {
    producer.close();
  }
}

package dev.abacus.optimizer.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Collects the records of one turn and writes them in one transaction. */
final class Outbox {

  private final Producer<byte[], byte[]> producer;
  private final String controlTopic;
  private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
  private long lastControlOffset = -1;

  /**
   * Starts without records.
   *
   * @param controlTopic name of the control topic
   */
  Outbox(Producer<byte[], byte[]> producer, String controlTopic) {
    this.controlTopic = controlTopic;
    this.producer = producer;
  }

  /** Fences the producer of an earlier leader. */
  void open() {
    producer.initTransactions();
  }

  void add(ProducerRecord<byte[], byte[]> record) {
    records.add(record);
  }

  void addAll(Collection<ProducerRecord<byte[], byte[]>> more) {
    records.addAll(more);
  }

  /**
   * Writes the collected records in the order in which they were added; does nothing without
   * records.
   *
   * @throws org.apache.kafka.common.KafkaException if the transaction fails; no consumer that reads
   *     committed records sees any of them
   */
  void commit() {
    if (records.isEmpty()) {
      return;
    }
    producer.beginTransaction();
    List<Future<RecordMetadata>> control = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record : records) {
      // A failed send fails the commit.
      Future<RecordMetadata> sent = producer.send(record);
      if (record.topic().equals(controlTopic)) {
        control.add(sent);
      }
    }
    producer.commitTransaction();
    records.clear();
    for (Future<RecordMetadata> sent : control) {
      lastControlOffset = Math.max(lastControlOffset, sent.resultNow().offset());
    }
  }

  /** Offset of the last record written to the control topic; -1 before the first. */
  long lastControlOffset() {
    return lastControlOffset;
  }
}

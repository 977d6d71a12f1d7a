package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.kafka.KafkaNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/** Collects the records of one turn and writes them in one transaction. */
final class Outbox {

  private final Producer<byte[], byte[]> producer;
  private final KafkaNames names;
  private final List<Entry> entries = new ArrayList<>();
  private long lastControlOffset = -1;

  /** A record and the program that it is written for, if any. */
  private record Entry(@Nullable String program, ProducerRecord<byte[], byte[]> record) {}

  /** Starts without records. */
  Outbox(Producer<byte[], byte[]> producer, KafkaNames names) {
    this.names = names;
    this.producer = producer;
  }

  /** Fences the producer of an earlier leader. */
  void open() {
    producer.initTransactions();
  }

  /** Adds a record that is written for a program; null if for none. */
  void add(@Nullable String program, ProducerRecord<byte[], byte[]> record) {
    entries.add(new Entry(program, record));
  }

  /**
   * Writes the collected records in the order in which they were added; does nothing without
   * records.
   *
   * @throws RefusedRecordException if Kafka refuses one of them for good
   * @throws KafkaException if the transaction fails; no consumer that reads committed records sees
   *     any of them
   */
  void commit() {
    if (entries.isEmpty()) {
      return;
    }
    producer.beginTransaction();
    // A failed send fails the commit.
    List<Future<RecordMetadata>> sent =
        entries.stream().map(entry -> producer.send(entry.record())).toList();
    try {
      producer.commitTransaction();
    } catch (KafkaException e) {
      throw refused(sent, e);
    }
    for (int i = 0; i < sent.size(); i++) {
      if (entries.get(i).record().topic().equals(names.control())) {
        lastControlOffset = Math.max(lastControlOffset, sent.get(i).resultNow().offset());
      }
    }
    entries.clear();
  }

  /** The failure of a transaction, which names the record that Kafka refuses, if it does. */
  private KafkaException refused(List<Future<RecordMetadata>> sent, KafkaException failure) {
    for (int i = 0; i < sent.size(); i++) {
      Entry entry = entries.get(i);
      if (sent.get(i).state() == Future.State.FAILED
          && sent.get(i).exceptionNow() instanceof ApiException cause
          && (cause instanceof RecordTooLargeException
              || (cause instanceof TopicAuthorizationException && !isShared(entry)))) {
        return new RefusedRecordException(entry.program(), entry.record(), cause);
      }
    }
    return failure;
  }

  /** Whether all programs have the topic: a right that lacks there is none of one program. */
  private boolean isShared(Entry entry) {
    return Set.of(names.control(), names.learnt(), names.status(), names.rejections())
        .contains(entry.record().topic());
  }

  /** Offset of the last record written to the control topic; -1 before the first. */
  long lastControlOffset() {
    return lastControlOffset;
  }
}

package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.RecordText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads topics from the beginning, and tells when it has read all records that existed when it
 * started to read a partition.
 */
final class TopicReader {

  private final Consumer<byte[], byte[]> consumer;
  private final KafkaNames names;
  private final TopicPartition control;
  private final TopicPartition learnt;

  /** The end offset of each partition when it was added. */
  private final Map<TopicPartition, Long> ends = new HashMap<>();

  /**
   * By key, the last status record, until all that existed at the start are read. The topic keeps
   * no more than that for good.
   */
  private final LinkedHashMap<String, ConsumerRecord<byte[], byte[]>> firstStatuses =
      new LinkedHashMap<>();

  private boolean statusRead;

  private Set<TopicPartition> statuses = Set.of();
  private Set<TopicPartition> rejections = Set.of();

  TopicReader(Consumer<byte[], byte[]> consumer, KafkaNames names) {
    this.consumer = consumer;
    this.names = names;
    this.control = new TopicPartition(names.control(), 0);
    this.learnt = new TopicPartition(names.learnt(), 0);
  }

  /** Starts to read the topics that all programs share. */
  void open() {
    statuses = partitions(List.of(names.status()));
    Set<TopicPartition> shared = new HashSet<>(statuses);
    shared.add(control);
    shared.add(learnt);
    rejections = partitions(List.of(names.rejections()));
    shared.addAll(rejections);
    add(shared);
  }

  /** Starts to read more partitions, from their beginning. */
  void add(Collection<TopicPartition> partitions) {
    Set<TopicPartition> all = new HashSet<>(consumer.assignment());
    all.addAll(partitions);
    consumer.assign(all);
    consumer.seekToBeginning(partitions);
    ends.putAll(consumer.endOffsets(partitions));
  }

  /** The partitions of topics; empty if the broker does not know one of the topics yet. */
  Set<TopicPartition> partitions(Collection<String> topics) {
    Set<TopicPartition> partitions = new HashSet<>();
    for (String topic : topics) {
      List<PartitionInfo> infos = consumer.partitionsFor(topic);
      if (infos == null || infos.isEmpty()) {
        return Set.of();
      }
      infos.forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    return partitions;
  }

  /** The next records; waits up to {@code longest} for one. */
  List<ConsumerRecord<byte[], byte[]>> poll(Duration longest) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(longest)) {
      if (!statusRead && statuses.contains(partition(record))) {
        firstStatuses.putLast(RecordText.key(record), record);
      } else {
        records.add(record);
      }
    }
    if (!statusRead && hasReadStatus()) {
      statusRead = true;
      List<ConsumerRecord<byte[], byte[]>> first = new ArrayList<>(firstStatuses.values());
      if (statuses.size() > 1) {
        // A report that the state of a governor contains must not follow it.
        first.sort(Comparator.comparingLong(ConsumerRecord::timestamp));
      }
      records.addAll(0, first);
      firstStatuses.clear();
    }
    return records;
  }

  /** Whether every program, prior and rejection that existed at the start is known. */
  boolean hasReadDesiredState() {
    return hasReadControl() && hasRead(Set.of(learnt)) && hasRead(rejections);
  }

  /** Whether every program that existed at the start is known. */
  boolean hasReadControl() {
    return hasRead(Set.of(control));
  }

  /** Whether the status reports that existed at the start are known. */
  boolean hasReadStatus() {
    return hasRead(statuses);
  }

  /** Whether all records that existed when these partitions were added are read. */
  boolean hasRead(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .allMatch(partition -> consumer.position(partition) >= end(partition));
  }

  /** Whether the record at {@code offset} of the control topic is read. */
  boolean hasReadControl(long offset) {
    return consumer.position(control) > offset;
  }

  private long end(TopicPartition partition) {
    return ends.getOrDefault(partition, 0L);
  }

  /** The partition of a record. */
  static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
    return new TopicPartition(record.topic(), record.partition());
  }
}

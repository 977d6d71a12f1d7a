package dev.abacus.topology;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The source partitions of an application on this instance; logs what changes. Thread-safe. */
final class AssignedPartitions {

  private static final Logger LOG = LoggerFactory.getLogger(AssignedPartitions.class);

  private static final Comparator<TopicPartition> BY_NAME =
      Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

  private final String application;
  private final Set<TopicPartition> assigned = new HashSet<>();

  AssignedPartitions(String application) {
    this.application = application;
  }

  /** A rebalance has ended with these partitions. */
  synchronized void become(Set<TopicPartition> now) {
    Set<TopicPartition> gained = new TreeSet<>(BY_NAME);
    gained.addAll(now);
    gained.removeAll(assigned);
    Set<TopicPartition> lost = new TreeSet<>(BY_NAME);
    lost.addAll(assigned);
    lost.removeAll(now);
    assigned.clear();
    assigned.addAll(now);
    if (!gained.isEmpty()) {
      LOG.info("{} gained partitions: {}", application, gained);
    }
    if (!lost.isEmpty()) {
      LOG.info("{} lost partitions: {}", application, lost);
    }
  }
}

package dev.abacus.topology.stateful;

import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.internals.InternalTopicProperties;

/**
 * A topology with repartition topics: named after the application, created by Kafka Streams,
 * emptied as they are read. Kafka offers them in its high-level language only, whose nodes cannot
 * be named as the asynchronous processor needs; the builder beneath is within reach of a subclass.
 */
public final class InternalTopics extends Topology {

  /** An internal topic with so many partitions. */
  public void addTopic(String name, int partitions) {
    internalTopologyBuilder.addInternalTopic(name, new InternalTopicProperties(partitions));
  }
}

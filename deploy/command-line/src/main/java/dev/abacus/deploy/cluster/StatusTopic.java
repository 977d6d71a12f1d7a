package dev.abacus.deploy.cluster;

import dev.abacus.schemas.control.StatusReports;

/** Reads the last status reports of workers and optimizer. */
public final class StatusTopic {

  private StatusTopic() {}

  /** Reads the topic to its present end; empty if the topic does not exist. */
  public static StatusReports read(KafkaConnection connection) {
    StatusReports status = new StatusReports();
    String topic = connection.names().status();
    if (connection.topics().contains(topic)) {
      TopicReader.read(connection, topic, status::accept);
    }
    return status;
  }
}

package dev.abacus.deploy.cluster;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.program.Program;
import java.util.Collection;
import java.util.Comparator;

/** Reads the last status reports of workers and optimizer. */
public final class StatusTopic {

  private StatusTopic() {}

  /** Reads the topic to its present end; empty if the topic does not exist. */
  public static StatusReports read(KafkaConnection connection) {
    StatusReports status = new StatusReports();
    TopicReader.readPresent(connection, connection.names().status(), status::accept);
    return status;
  }

  /** The Kafka Streams application of a program's newest version that these workers run. */
  public static String application(
      KafkaConnection connection, Program program, Collection<InstanceStatus> workers) {
    return workers.stream()
        .flatMap(instance -> instance.versions().stream())
        .max(Comparator.comparingInt(InstanceStatus.VersionStatus::version))
        .map(InstanceStatus.VersionStatus::application)
        .orElseGet(() -> connection.names().application(program.name()));
  }
}

package dev.abacus.topology.control;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.supervision.Supervisor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Sends the status of every program of this instance to the status topic, at an interval and once
 * more at close.
 */
public final class StatusReporter implements AutoCloseable {

  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final Supplier<List<InstanceStatus>> statuses;
  private final Supervisor.SupervisedThread thread;

  private StatusReporter(
      Producer<byte[], byte[]> producer,
      String topic,
      Supplier<List<InstanceStatus>> statuses,
      Duration interval,
      Supervisor supervisor) {
    this.producer = producer;
    this.topic = topic;
    this.statuses = statuses;
    this.thread =
        supervisor.start(
            "status",
            _ -> {
              report();
              return interval;
            },
            Supervisor.Resource.NONE);
  }

  /**
   * Starts to report.
   *
   * @param producer the reporter closes it
   * @param topic of status records
   * @param statuses called for each report
   */
  public static StatusReporter start(
      Producer<byte[], byte[]> producer,
      String topic,
      Supplier<List<InstanceStatus>> statuses,
      Duration interval,
      Supervisor supervisor) {
    return new StatusReporter(producer, topic, statuses, interval, supervisor);
  }

  private void report() {
    for (InstanceStatus status : statuses.get()) {
      byte[] key = (status.program() + "/" + status.instance()).getBytes(StandardCharsets.UTF_8);
      var _ = producer.send(new ProducerRecord<>(topic, key, Json.write(status)));
    }
  }

  @Override
  public void close() {
    thread.close();
    try {
      report();
    } finally {
      producer.close(Duration.ofSeconds(5));
    }
  }
}

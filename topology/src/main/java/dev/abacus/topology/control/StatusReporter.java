package dev.abacus.topology.control;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.supervision.Supervisor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Sends the status of every program of this instance to the status topic, at an interval and once
 * more at close. That of a program that sleeps is repeated every {@value #UNCHANGED} intervals
 * only: others take an instance for dead when they miss five.
 */
public final class StatusReporter implements AutoCloseable {

  private static final int UNCHANGED = 4;

  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final byte[] process;
  private final Supplier<List<InstanceStatus>> statuses;
  private final Supervisor.SupervisedThread thread;

  /** By program that sleeps, the number of intervals since its status was sent. */
  private final Map<String, Integer> asleep = new HashMap<>();

  /**
   * Starts to report.
   *
   * @param producer the reporter closes it
   * @param topic of status records
   * @param process of {@link StatusFollower.Self}
   * @param statuses called for each report
   */
  public StatusReporter(
      Producer<byte[], byte[]> producer,
      String topic,
      String process,
      Supplier<List<InstanceStatus>> statuses,
      Duration interval,
      Supervisor supervisor) {
    this.producer = producer;
    this.topic = topic;
    this.process = process.getBytes(StandardCharsets.UTF_8);
    this.statuses = statuses;
    this.thread =
        supervisor.start(
            "status",
            _ -> {
              report(this::isDue);
              return interval;
            },
            new Supervisor.Resource(() -> {}, this::reportLast));
  }

  /** Little but its time changes in the status of a program that sleeps. */
  private boolean isDue(InstanceStatus status) {
    if (!status.isAsleep()) {
      asleep.remove(status.program());
      return true;
    }
    return asleep.merge(status.program(), 0, (last, _) -> (last + 1) % UNCHANGED) == 0;
  }

  private void report(Predicate<InstanceStatus> due) {
    for (InstanceStatus status : statuses.get()) {
      if (due.test(status)) {
        byte[] key = (status.program() + "/" + status.instance()).getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(topic, key, Json.write(status));
        record.headers().add(Headers.PROCESS, process);
        var _ = producer.send(record);
      }
    }
  }

  @Override
  public void close() {
    thread.close();
  }

  private void reportLast() {
    try {
      report(_ -> true);
    } finally {
      producer.close(Duration.ofSeconds(5));
    }
  }
}

package dev.abacus.topology.control;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the status of every program of this instance to the status topic, at an interval and once
 * more at close. One of which nothing but the time has changed is repeated every {@value
 * #UNCHANGED} intervals only: others take an instance for dead when they miss five.
 */
public final class StatusReporter implements AutoCloseable {

  private static final int UNCHANGED = 4;

  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final byte[] process;
  private final Supplier<List<InstanceStatus>> statuses;
  private final Supervisor.SupervisedThread thread;

  /** Whether Kafka takes what is sent. */
  private final ThreadHealth records;

  /** By program, what was sent last. For the reporting thread only. */
  private final Map<String, Sent> sent = new HashMap<>();

  /** A status without its time, and the number of intervals since it was sent. */
  private record Sent(InstanceStatus status, int intervals) {}

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
    this.records = supervisor.watch("records of " + topic);
    this.thread =
        supervisor.start(
            "status",
            _ -> {
              report(this::isDue);
              return interval;
            },
            new Supervisor.Resource(() -> {}, this::reportLast));
  }

  private boolean isDue(InstanceStatus status) {
    InstanceStatus timeless = status.toBuilder().at(Instant.EPOCH).build();
    Sent last = sent.get(status.program());
    int intervals =
        last == null || !last.status().equals(timeless) ? 0 : (last.intervals() + 1) % UNCHANGED;
    sent.put(status.program(), new Sent(timeless, intervals));
    return intervals == 0;
  }

  private void report(Predicate<InstanceStatus> due) {
    List<InstanceStatus> present = statuses.get();
    sent.keySet().retainAll(present.stream().map(InstanceStatus::program).toList());
    for (InstanceStatus status : present) {
      if (due.test(status)) {
        byte[] key = (status.program() + "/" + status.instance()).getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(topic, key, Json.write(status));
        record.headers().add(Headers.PROCESS, process);
        var _ = producer.send(record, (_, failure) -> sent(failure));
      }
    }
  }

  /** While brokers are away, the next status follows anyway. */
  private void sent(@Nullable Exception failure) {
    if (failure == null) {
      records.succeeded();
    } else if (!(failure instanceof RetriableException)) {
      var _ = records.failed(failure);
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

package dev.abacus.topology.control;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the status of every program of this instance to the status topic, at an interval and once
 * more at close.
 */
public final class StatusReporter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatusReporter.class);

  private final Producer<byte[], byte[]> producer;
  private final Supplier<List<InstanceStatus>> statuses;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("abacus-status").daemon().factory());

  private StatusReporter(
      Producer<byte[], byte[]> producer, Supplier<List<InstanceStatus>> statuses) {
    this.producer = producer;
    this.statuses = statuses;
  }

  /**
   * Starts to report.
   *
   * @param producer the reporter closes it
   * @param statuses called for each report
   */
  public static StatusReporter start(
      Producer<byte[], byte[]> producer,
      Supplier<List<InstanceStatus>> statuses,
      Duration interval) {
    StatusReporter reporter = new StatusReporter(producer, statuses);
    var _ =
        reporter.timer.scheduleAtFixedRate(
            reporter::report, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    return reporter;
  }

  private void report() {
    try {
      for (InstanceStatus status : statuses.get()) {
        byte[] key = (status.program() + "/" + status.instance()).getBytes(StandardCharsets.UTF_8);
        var _ = producer.send(new ProducerRecord<>(Topics.STATUS, key, Json.write(status)));
      }
    } catch (RuntimeException e) {
      // The timer must not stop: the next status replaces the lost one.
      LOG.debug("Cannot send the status", e);
    }
  }

  @Override
  public void close() {
    timer.shutdown();
    report();
    producer.close(Duration.ofSeconds(5));
  }
}

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
 * Sends the status of every program that this instance runs to the status topic, every few seconds
 * and once more when it is closed.
 */
public final class StatusReporter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatusReporter.class);

  private final Producer<byte[], byte[]> producer;
  private final Supplier<List<InstanceStatus>> statuses;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("abacus-status").daemon().factory());

  /**
   * Starts to report.
   *
   * @param producer closed by this reporter
   * @param statuses those to send, asked for each time
   */
  public StatusReporter(
      Producer<byte[], byte[]> producer,
      Supplier<List<InstanceStatus>> statuses,
      Duration interval) {
    this.producer = producer;
    this.statuses = statuses;
    var _ = timer.scheduleAtFixedRate(this::report, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void report() {
    try {
      for (InstanceStatus status : statuses.get()) {
        byte[] key = (status.program() + "/" + status.instance()).getBytes(StandardCharsets.UTF_8);
        var _ = producer.send(new ProducerRecord<>(Topics.STATUS, key, Json.write(status)));
      }
    } catch (RuntimeException e) {
      // A status that is lost is followed by the next; the timer must not stop.
      LOG.debug("Status cannot be sent", e);
    }
  }

  @Override
  public void close() {
    timer.shutdown();
    report();
    producer.close(Duration.ofSeconds(5));
  }
}

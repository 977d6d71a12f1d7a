package dev.abacus.schemas.monitor;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Kafka for its brokers at an interval, and reports when it stops to answer and when it
 * answers again. The clients of Kafka retry on their own; this tells an operator why nothing moves.
 */
public final class BrokerWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BrokerWatch.class);

  /** The interval of the questions, and the time to wait for an answer. */
  public static final Duration INTERVAL = Duration.ofSeconds(5);

  private final Supplier<Admin> connect;
  private final Duration interval;
  private final Clock clock;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable Outage outage;

  /**
   * The time without an answer.
   *
   * @param since time of the first question without an answer
   */
  public record Outage(Instant since, String cause) {}

  private BrokerWatch(Supplier<Admin> connect, Duration interval, Clock clock) {
    this.connect = connect;
    this.interval = interval;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("abacus-broker-watch").unstarted(this::watch);
  }

  /**
   * Starts to ask.
   *
   * @param connect opens a client; called again if it fails, for example because the name of a
   *     broker is not known yet
   */
  public static BrokerWatch start(Supplier<Admin> connect, Duration interval, Clock clock) {
    BrokerWatch watch = new BrokerWatch(connect, interval, clock);
    watch.thread.start();
    return watch;
  }

  /** The current outage; null while Kafka answers. */
  public @Nullable Outage outage() {
    return outage;
  }

  private void watch() {
    try {
      while (!closing.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
        try (Admin admin = connect.get()) {
          do {
            ask(admin);
          } while (!closing.await(interval.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptException e) {
          throw e;
        } catch (RuntimeException e) {
          failed(clock.instant(), e.toString());
        }
      }
    } catch (InterruptedException | InterruptException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ask(Admin admin) throws InterruptedException {
    Instant asked = clock.instant();
    try {
      int millis = Math.toIntExact(interval.toMillis());
      var _ = admin.describeCluster(new DescribeClusterOptions().timeoutMs(millis)).nodes().get();
      answered();
    } catch (ExecutionException e) {
      failed(asked, String.valueOf(e.getCause()));
    }
  }

  private void answered() {
    Outage ended = outage;
    if (ended != null) {
      outage = null;
      LOG.info(
          "Kafka answers again after {} s",
          Duration.between(ended.since(), clock.instant()).toSeconds());
    }
  }

  private void failed(Instant since, String cause) {
    if (outage == null && closing.getCount() > 0) {
      outage = new Outage(since, cause);
      LOG.warn("Kafka does not answer; the process waits and tries again: {}", cause);
    }
  }

  @Override
  public void close() {
    closing.countDown();
    thread.interrupt();
  }
}

package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.control.ControlCodec;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves all programs until it is closed. A broker or registry that is away is waited for, longer
 * and longer; then a new {@link Session} reads all topics again. Of several control planes one
 * leads ({@link Leadership}), the others stand by: two would pay for the same samples. One that was
 * fenced by its successor stands by again.
 */
public final class ControlPlane implements Runnable, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);
  private static final Duration STANDBY = Duration.ofMillis(200);
  private static final Duration FIRST_WAIT = Duration.ofMillis(500);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final ExchangeSettings settings;
  private final Clock clock;
  private final @Nullable AvroValues avro;
  private final RecordDecoder decoder;
  private final RejectionLog rejections = new RejectionLog();

  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Consumer<byte[], byte[]> consumer;
  private volatile @Nullable Leadership leadership;
  private volatile @Nullable RuntimeException failure;

  /** Connects to nothing yet. */
  public ControlPlane(ExchangeSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
    this.avro = AvroValues.connect(settings.clientProperties());
    this.decoder =
        new RecordDecoder(
            new ControlCodec(settings.loop().catalogue(), ControlCodec.AvroReader.of(avro)),
            ValueReader.of(avro));
  }

  /** Serves until it is closed, or cannot go on; {@link #failure} then says why. */
  @Override
  public void run() {
    Duration wait = FIRST_WAIT;
    try {
      while (!isClosing()) {
        try {
          serve();
        } catch (TopicsChangedException e) {
          LOG.info("{}; reading all topics again", e.getMessage());
        } catch (WakeupException e) {
          LOG.debug("woken up to close");
        } catch (KafkaException | RegistryAwayException e) {
          if (isFenced(e)) {
            LOG.warn("Another optimizer has taken over; this one stands by");
            continue;
          }
          LOG.warn("Trying again in {} ms: {}", wait.toMillis(), e.toString());
          wait = pause(wait);
        }
      }
    } catch (RuntimeException e) {
      LOG.error("The optimizer ends: {}", e.getMessage(), e);
      failure = e;
    } finally {
      if (avro != null) {
        avro.close();
      }
      ready.countDown();
      ended.countDown();
    }
  }

  private static boolean isFenced(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        return true;
      }
    }
    return false;
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private Duration pause(Duration wait) {
    try {
      if (closing.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("closing instead of trying again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closing.countDown();
    }
    Duration next = wait.multipliedBy(2);
    return next.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : next;
  }

  private void serve() {
    try (Connections connections = Connections.open(settings)) {
      SearchTopics topics = new SearchTopics(connections.admin(), settings);
      topics.createShared();
      try (Leadership standing = new Leadership(settings)) {
        leadership = standing;
        while (!isClosing() && !standing.leads(STANDBY)) {
          if (standing.standsBy()) {
            if (ready.getCount() > 0) {
              LOG.info("Another optimizer leads; this one stands by");
            }
            ready.countDown();
          }
        }
        consumer = connections.consumer();
        if (!isClosing()) {
          LOG.info("This optimizer leads");
          lead(standing, connections, topics);
        }
      }
    } finally {
      consumer = null;
      leadership = null;
    }
  }

  private void lead(Leadership standing, Connections connections, SearchTopics topics) {
    Session session =
        new Session(
            settings,
            connections.consumer(),
            connections.producer(),
            topics,
            decoder,
            new StreamExamples(settings, ValueReader.of(avro)),
            rejections,
            clock);
    session.open();
    while (!isClosing() && standing.leads(Duration.ZERO)) {
      session.turn();
      if (session.controlRead()) {
        ready.countDown();
      }
    }
  }

  /**
   * Waits until all programs are known, or another control plane is known to lead.
   *
   * @return whether that is so; false if the time is over, or it ended before
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    return ready.await(timeout.toMillis(), TimeUnit.MILLISECONDS) && ended.getCount() > 0;
  }

  /**
   * Waits until it ended.
   *
   * @return whether it did within the time
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    return ended.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Why it ended by itself; null if it runs, or was closed. */
  public @Nullable RuntimeException failure() {
    return failure;
  }

  /** Asks it to end; the turn that is under way is finished. */
  @Override
  public void close() {
    closing.countDown();
    Leadership standing = leadership;
    if (standing != null) {
      standing.wakeUp();
    }
    Consumer<byte[], byte[]> reader = consumer;
    if (reader != null) {
      reader.wakeup();
    }
  }
}

package dev.abacus.topology.control;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InvalidControlException;
import dev.abacus.schemas.kafka.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the control topic from its beginning and keeps a {@link ProgramPlans} per program. An
 * invalid record changes nothing; the optimizer reads it too and reports it to the user.
 *
 * <p>The process has one follower instead of a global store in each topology, because the topic
 * decides which topologies are started.
 */
public final class ControlFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ControlFollower.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final TopicPartition PARTITION = new TopicPartition(Topics.CONTROL, 0);

  private final Consumer<String, byte[]> consumer;
  private final ControlCodec codec;
  private final Listener listener;
  private final Map<String, ProgramPlans> slots = new ConcurrentHashMap<>();
  private boolean caughtUp;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);

  private ControlFollower(
      Consumer<String, byte[]> consumer, ControlCodec codec, Listener listener) {
    this.consumer = consumer;
    this.codec = codec;
    this.listener = listener;
    this.thread = Thread.ofPlatform().name("abacus-control").unstarted(this::follow);
  }

  /** Hears of changes. Called on the follower's thread. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called for each program when the topic is read to its end for the first time, and then after
     * each record that changed the plans of a program.
     */
    void changed(String program, ProgramPlans plans);

    /**
     * Called after a record that resumes or redefines a program, even if the program was not
     * paused: an operator may have mended the cause of an outage.
     */
    default void resumed(String program) {}
  }

  /**
   * Starts to read the topic.
   *
   * @param consumer has no group; the follower closes it
   */
  public static ControlFollower start(
      Consumer<String, byte[]> consumer, ControlCodec codec, Listener listener) {
    ControlFollower follower = new ControlFollower(consumer, codec, listener);
    follower.thread.start();
    return follower;
  }

  /** The plans of a program; empty if the topic has no record of it. */
  public ProgramPlans plans(String program) {
    return slots.computeIfAbsent(program, _ -> new ProgramPlans(codec::knowsModel));
  }

  private void follow() {
    try (consumer) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      while (closing.getCount() > 0) {
        pollOnce();
      }
    } catch (WakeupException e) {
      // Closed.
    }
  }

  private void pollOnce() {
    try {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        try {
          apply(record);
        } catch (SerializationException e) {
          // Later records must not overtake this one, which may be valid.
          consumer.seek(PARTITION, record.offset());
          throw e;
        }
      }
      if (!caughtUp && isAtEnd()) {
        caughtUp = true;
        slots.forEach(this::notifyListener);
      }
    } catch (WakeupException e) {
      throw e;
    } catch (KafkaException e) {
      // The next poll continues at the same position.
      LOG.warn("Cannot read the control topic, will retry: {}", e.toString());
      pause();
    } catch (RuntimeException | Error e) {
      LOG.error("Failed to follow the control topic, continues", e);
      pause();
    }
  }

  private void pause() {
    try {
      if (closing.await(RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("Closed while waiting to retry");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closing.countDown();
    }
  }

  private boolean isAtEnd() {
    Long end = consumer.endOffsets(List.of(PARTITION)).get(PARTITION);
    return end != null && consumer.position(PARTITION) >= end;
  }

  private void apply(ConsumerRecord<String, byte[]> record) {
    if (record.key() == null) {
      return;
    }
    try {
      ControlKey key = ControlKey.parse(record.key());
      ControlRecord value = codec.decode(key, record.value());
      ProgramPlans plans = plans(key.program());
      if (value != null) {
        plans.apply(value);
      } else if (key instanceof ControlKey.ProgramKey) {
        plans.removeProgram();
      } else if (key instanceof ControlKey.PausedKey) {
        plans.removePause();
      }
      if (caughtUp) {
        notifyListener(key.program(), plans);
        if (isResumption(key, value)) {
          listener.resumed(key.program());
        }
      }
    } catch (InvalidControlException | RuntimeException | StackOverflowError e) {
      if (e instanceof SerializationException registry && AvroValues.mayBeRetried(registry)) {
        throw registry;
      }
      LOG.warn(
          "Control record '{}' at {}@{} is invalid and ignored: {}",
          record.key(),
          PARTITION,
          record.offset(),
          e.toString());
    }
  }

  private static boolean isResumption(ControlKey key, @Nullable ControlRecord value) {
    return key instanceof ControlKey.PausedKey
        ? !(value instanceof ControlRecord.Paused paused && paused.paused())
        : value instanceof ControlRecord.ProgramSet;
  }

  private void notifyListener(String program, ProgramPlans plans) {
    try {
      listener.changed(program, plans);
    } catch (RuntimeException e) {
      // The other programs must still receive their records.
      LOG.error("Program '{}' failed to apply its control records", program, e);
    }
  }

  @Override
  public void close() {
    closing.countDown();
    consumer.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

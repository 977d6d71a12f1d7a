package dev.abacus.topology.control;

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
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the control topic from its beginning to its end and on, and keeps a {@link PlanSlot} per
 * program. A record that cannot be read changes nothing; the optimizer, which also reads it,
 * reports it to the user.
 *
 * <p>One follower serves the whole process, rather than a global store in each topology: topologies
 * start and stop as programs come and go, so the topic must be followed before any of them is
 * there.
 */
public final class ControlFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ControlFollower.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final TopicPartition PARTITION = new TopicPartition(Topics.CONTROL, 0);

  private final Consumer<String, byte[]> consumer;
  private final ControlCodec codec;
  private final BiConsumer<String, PlanSlot> onChange;
  private final Map<String, PlanSlot> slots = new ConcurrentHashMap<>();
  private final CountDownLatch caughtUp = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts to follow.
   *
   * @param consumer without a group; closed by this follower
   * @param onChange told on the follower's thread after each record that changed a program's slot,
   *     once the topic was read to its end for the first time; and then for every program
   */
  public ControlFollower(
      Consumer<String, byte[]> consumer,
      ControlCodec codec,
      BiConsumer<String, PlanSlot> onChange) {
    this.consumer = consumer;
    this.codec = codec;
    this.onChange = onChange;
    this.thread = Thread.ofPlatform().name("abacus-control").unstarted(this::follow);
    thread.start();
  }

  /** The slot of a program; an empty one if nothing was said of it yet. */
  public PlanSlot slot(String program) {
    return slots.computeIfAbsent(program, _ -> new PlanSlot());
  }

  /** Waits until the topic was read to its end for the first time; returns whether it was. */
  public boolean awaitCaughtUp(Duration atMost) throws InterruptedException {
    return caughtUp.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void follow() {
    try (consumer) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      while (!closed) {
        pollOnce();
      }
    } catch (WakeupException e) {
      // Closed.
    }
  }

  private void pollOnce() {
    try {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        apply(record);
      }
      if (caughtUp.getCount() > 0 && isAtEnd()) {
        caughtUp.countDown();
        slots.forEach(this::tell);
      }
    } catch (WakeupException e) {
      throw e;
    } catch (KafkaException e) {
      // The client retries by itself; what it could not read stays to be read.
      LOG.warn("Control topic cannot be read for now: {}", e.toString());
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
      PlanSlot slot = slot(key.program());
      if (value != null) {
        slot.apply(value);
      } else if (key instanceof ControlKey.ProgramKey) {
        slot.removeProgram();
      } else if (key instanceof ControlKey.PausedKey) {
        slot.removePause();
      }
      if (caughtUp.getCount() == 0) {
        tell(key.program(), slot);
      }
    } catch (InvalidControlException | IllegalArgumentException e) {
      LOG.warn(
          "Control record '{}' at offset {} is refused: {}",
          record.key(),
          record.offset(),
          e.getMessage());
    }
  }

  private void tell(String program, PlanSlot slot) {
    try {
      onChange.accept(program, slot);
    } catch (RuntimeException e) {
      // One program that cannot be started must not keep the others from being followed.
      LOG.error("Program '{}' cannot follow its control records", program, e);
    }
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

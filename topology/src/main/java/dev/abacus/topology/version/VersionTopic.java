package dev.abacus.topology.version;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;

/**
 * The versions topic, as one worker uses it. The key of a state is the name of the program.
 *
 * <p>A transition is a transaction under a transactional id of the program: it fences every other
 * worker that is about to write one, reads the topic to its end, and commits only if the state is
 * still the expected one. So of several workers one succeeds, and a worker that was suspended
 * cannot repeat an old transition.
 *
 * <p>Thread-safe.
 */
public final class VersionTopic implements VersionChange.Log, AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The end of a partition, whether its last transactions are finished or not. */
  @FunctionalInterface
  public interface EndOffset {
    long read() throws InterruptedException;
  }

  /** Creates the clients of a transition. */
  public interface Clients {

    /** A producer with a transactional id. */
    Producer<byte[], byte[]> producer(String transactionalId);

    /** The metadata of a consumer group for a client that is no member. */
    ConsumerGroupMetadata group(String id);
  }

  /** Hears of programs whose versions changed. Called on any thread. */
  @FunctionalInterface
  public interface Listener {
    void changed(String program);
  }

  private final Consumer<byte[], byte[]> consumer;
  private final KafkaNames names;
  private final TopicPartition partition;
  private final Clients clients;
  private final VersionCodec codec;
  private final EndOffset end;
  private final Listener listener;
  private final Map<String, ProgramVersions> states = new ConcurrentHashMap<>();
  private final Supervisor.SupervisedThread thread;
  private volatile boolean caughtUp;

  /** Guarded by this. */
  private boolean assigned;

  /**
   * Starts to read the topic.
   *
   * @param consumer of committed records, without a group; closed with this
   * @param end of the topic, with the records of open transactions
   */
  public VersionTopic(
      Consumer<byte[], byte[]> consumer,
      KafkaNames names,
      Clients clients,
      VersionCodec codec,
      EndOffset end,
      Supervisor supervisor,
      Listener listener) {
    this.consumer = consumer;
    this.names = names;
    this.partition = new TopicPartition(names.versions(), 0);
    this.clients = clients;
    this.codec = codec;
    this.end = end;
    this.listener = listener;
    this.thread =
        supervisor.start("versions", this::step, new Supervisor.Resource(() -> {}, this::release));
  }

  private Duration step(ThreadHealth health) throws InterruptedException {
    if (!caughtUp) {
      refresh(health);
      caughtUp = true;
      states.keySet().forEach(listener::changed);
    }
    poll(Duration.ZERO, health);
    return INTERVAL;
  }

  /** Whether the topic was read to its end once. */
  public boolean isCaughtUp() {
    return caughtUp;
  }

  /**
   * Reads every record that is on the topic now.
   *
   * @throws KafkaException if that takes more than 30 s
   */
  public void refresh() throws InterruptedException {
    refresh(null);
  }

  private void refresh(@Nullable ThreadHealth health) throws InterruptedException {
    long until = end.read();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (poll(POLL, health) < until) {
      if (System.nanoTime() - deadline > 0) {
        throw new KafkaException(
            "cannot read %s to offset %d within %s; a transaction may be open"
                .formatted(names.versions(), until, PATIENCE));
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private synchronized long poll(Duration timeout, @Nullable ThreadHealth health) {
    if (!assigned) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      assigned = true;
    }
    consumer.poll(timeout).forEach(record -> apply(record, health));
    return consumer.position(partition);
  }

  private void apply(ConsumerRecord<byte[], byte[]> record, @Nullable ThreadHealth health) {
    if (record.key() == null) {
      return;
    }
    String program = new String(record.key(), StandardCharsets.UTF_8);
    try {
      byte[] value = record.value();
      if (value == null) {
        states.remove(program);
      } else {
        states.put(program, codec.decode(value));
      }
    } catch (MalformedRecordException | RuntimeException | StackOverflowError e) {
      if (health != null) {
        health.skipped("%s@%d".formatted(partition, record.offset()), e);
      }
    }
    if (caughtUp) {
      listener.changed(program);
    }
  }

  @Override
  public @Nullable ProgramVersions versions(String program) {
    return states.get(program);
  }

  @Override
  public boolean replace(
      String program,
      @Nullable ProgramVersions expected,
      ProgramVersions next,
      Map<TopicPartition, Long> offsets)
      throws InterruptedException {
    refresh();
    if (!Objects.equals(states.get(program), expected)) {
      return false;
    }
    try (Producer<byte[], byte[]> producer = clients.producer(names.versionChange(program))) {
      producer.initTransactions();
      refresh();
      if (!Objects.equals(states.get(program), expected)) {
        return false;
      }
      producer.beginTransaction();
      var _ =
          producer.send(
              new ProducerRecord<>(
                  partition.topic(),
                  partition.partition(),
                  program.getBytes(StandardCharsets.UTF_8),
                  VersionCodec.encode(next)));
      if (!offsets.isEmpty()) {
        Map<TopicPartition, OffsetAndMetadata> first = new HashMap<>();
        offsets.forEach((source, offset) -> first.put(source, new OffsetAndMetadata(offset)));
        producer.sendOffsetsToTransaction(first, clients.group(next.current().application(names)));
      }
      producer.commitTransaction();
    } catch (ProducerFencedException | InvalidProducerEpochException e) {
      return false;
    }
    refresh();
    return true;
  }

  private synchronized void release() {
    consumer.close();
  }

  @Override
  public void close() {
    thread.close();
  }
}

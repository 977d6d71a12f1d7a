package dev.abacus.topology.runtime;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The usual clients of Kafka Streams. Their producers report the end of their transactions: with
 * {@code exactly_once_v2} each stream thread has one producer and uses it alone. Their consumers
 * wait longer for records while the stream thread has no work to look after.
 *
 * <p>Kafka Streams commits after each punctuation, so a thread that looks for finished work would
 * commit the same offsets twice a second for ever. The producers leave such a transaction empty,
 * and the client sends nothing of an empty transaction.
 *
 * <p>The consumer of a stream thread fetches nothing of the partitions that {@link StreamThreads}
 * holds. With {@code group.protocol=streams} Kafka Streams does not ask for this consumer.
 */
public final class TransactionalClients implements KafkaClientSupplier {

  private final Commits commits;
  private final StreamThreads threads;
  private final Runnable worked;

  /** Those in use: a stream thread replaces its producer after some failures. */
  private final Set<Producer<byte[], byte[]>> producers =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /**
   * Clients of one {@link org.apache.kafka.streams.KafkaStreams}.
   *
   * @param commits receives the reports
   * @param threads knows which threads have work
   * @param worked called on a stream thread after each transaction that was not empty
   */
  public TransactionalClients(Commits commits, StreamThreads threads, Runnable worked) {
    this.commits = commits;
    this.threads = threads;
    this.worked = worked;
  }

  /**
   * Ends producers that still run. One whose commit had no answer in time waits for ever when it is
   * flushed or closed, and its stream thread with it.
   */
  public void giveUp() {
    List.copyOf(producers).forEach(producer -> producer.close(Duration.ZERO));
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    Producer<byte[], byte[]> producer = new ReportingProducer(config, commits, worked);
    producers.add(producer);
    return producer;
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new ThreadConsumer(config, threads);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getRestoreConsumer(config);
  }

  /**
   * The consumer of a stream thread. Kafka Streams pauses and resumes partitions too: one that it
   * paused stays paused. It polls for {@code poll.ms}, which is short, since the thread looks for
   * finished work between two polls.
   */
  private static final class ThreadConsumer extends KafkaConsumer<byte[], byte[]> {
    private final StreamThreads threads;
    private final Set<TopicPartition> pausedByStreams = new HashSet<>();
    private Set<TopicPartition> held = Set.of();

    ThreadConsumer(Map<String, Object> config, StreamThreads threads) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      this.threads = threads;
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
      pausedByStreams.addAll(partitions);
      super.pause(partitions);
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
      pausedByStreams.removeAll(partitions);
      super.resume(partitions.stream().filter(partition -> !held.contains(partition)).toList());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      Set<TopicPartition> now = threads.held();
      if (!now.isEmpty() || !held.isEmpty()) {
        hold(now);
      }
      Duration longest = threads.longestPoll();
      // Kafka Streams does not wait, with 0, while it restores.
      boolean longer = timeout.isPositive() && timeout.compareTo(longest) < 0;
      return super.poll(longer ? longest : timeout);
    }

    private void hold(Set<TopicPartition> now) {
      Set<TopicPartition> paused = paused();
      pausedByStreams.retainAll(paused);
      now.retainAll(assignment());
      super.resume(
          held.stream()
              .filter(partition -> paused.contains(partition) && !now.contains(partition))
              .filter(partition -> !pausedByStreams.contains(partition))
              .toList());
      super.pause(now);
      held = now;
    }
  }

  private static final class ReportingProducer extends KafkaProducer<byte[], byte[]> {
    private final Commits commits;
    private final Runnable worked;

    /** The offsets that this producer committed last. */
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();

    /** The offsets in the current transaction. */
    private Map<TopicPartition, OffsetAndMetadata> added = Map.of();

    /** Whether a record is in the current transaction. */
    private boolean sent;

    ReportingProducer(Map<String, Object> config, Commits commits, Runnable worked) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      this.commits = commits;
      this.worked = worked;
    }

    @Override
    public Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
      sent = true;
      return super.send(record, callback);
    }

    @Override
    public void sendOffsetsToTransaction(
        Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
      if (sent || !committed.entrySet().containsAll(offsets.entrySet())) {
        super.sendOffsetsToTransaction(offsets, group);
        added = Map.copyOf(offsets);
      }
    }

    @Override
    public void commitTransaction() {
      super.commitTransaction();
      boolean empty = !sent && added.isEmpty();
      committed.putAll(added);
      begin();
      commits.committed();
      if (!empty) {
        worked.run();
      }
    }

    @Override
    public void abortTransaction() {
      commits.aborted();
      begin();
      super.abortTransaction();
    }

    private void begin() {
      sent = false;
      added = Map.of();
    }

    @Override
    public void close(Duration timeout) {
      commits.aborted();
      super.close(timeout);
    }
  }
}

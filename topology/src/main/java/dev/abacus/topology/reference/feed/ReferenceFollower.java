package dev.abacus.topology.reference.feed;

import dev.abacus.schemas.control.InstanceStatus.ReferenceProgress;
import dev.abacus.topology.reference.EmbeddedItemCodec;
import dev.abacus.topology.reference.ReferenceCollection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a reference's embedded topic from its beginning to its end and on, into a collection.
 *
 * <p>A consumer without a group, one per process, rather than a global store: the samples' topology
 * and the documents' topology of a program, and all their threads, share one collection and one
 * index, which must outlive each of them; and a global store would keep every vector a second time
 * on disk, to rebuild the index from it all the same.
 */
public final class ReferenceFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReferenceFollower.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final String referenceTopic;
  private final String embeddedTopic;
  private final ReferenceCollection collection;
  private final Runnable onComplete;
  private final Thread thread;
  private volatile ReferenceProgress progress;
  private volatile boolean restored;
  private volatile boolean complete;
  private volatile boolean closed;

  /**
   * Starts to follow.
   *
   * @param consumer without a group; closed by this follower
   * @param onComplete told on the follower's thread once the collection is complete
   */
  public ReferenceFollower(
      Consumer<byte[], byte[]> consumer,
      String referenceTopic,
      String embeddedTopic,
      ReferenceCollection collection,
      Runnable onComplete) {
    this.consumer = consumer;
    this.referenceTopic = referenceTopic;
    this.embeddedTopic = embeddedTopic;
    this.collection = collection;
    this.onComplete = onComplete;
    this.progress = new ReferenceProgress(collection.name(), 0, 0);
    this.thread =
        Thread.ofPlatform()
            .name("abacus-reference-" + collection.name())
            .daemon()
            .unstarted(this::follow);
    thread.start();
  }

  /** Whether all that was embedded when this process started is in the collection. */
  public boolean isRestored() {
    return restored;
  }

  /**
   * Whether all items that the reference held when this process started are in the collection, or
   * are known to be unusable: nobody matches against half a reference.
   */
  public boolean isComplete() {
    return complete;
  }

  /** How many of the items that are waited for have come. */
  public ReferenceProgress progress() {
    return progress;
  }

  private void follow() {
    try (consumer) {
      AwaitedItems awaited = null;
      Map<TopicPartition, Long> ends = Map.of();
      while (!closed) {
        try {
          if (awaited == null) {
            awaited = AwaitedItems.read(consumer, partitions(referenceTopic), () -> closed);
            progress = new ReferenceProgress(collection.name(), 0, awaited.missing());
            List<TopicPartition> partitions = partitions(embeddedTopic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            ends = consumer.endOffsets(partitions);
          }
          apply(consumer.poll(POLL), awaited);
          advance(awaited, ends);
        } catch (WakeupException e) {
          throw e;
        } catch (KafkaException e) {
          // The client retries by itself; what it could not read stays to be read.
          LOG.warn("Reference '{}' cannot be read for now: {}", collection.name(), e.toString());
        }
      }
    } catch (WakeupException e) {
      // Closed.
    }
  }

  private List<TopicPartition> partitions(String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  private void apply(ConsumerRecords<byte[], byte[]> records, AwaitedItems awaited) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      apply(record);
      awaited.arrived(record);
    }
    long items = progress.items();
    progress = new ReferenceProgress(collection.name(), items - awaited.missing(), items);
    if (restored) {
      // Also without news: what could not be written to a store outside is tried again.
      collection.flush();
    }
  }

  private void apply(ConsumerRecord<byte[], byte[]> record) {
    String id = SourcePosition.id(record.key());
    try {
      if (record.value() == null) {
        collection.remove(id);
      } else {
        collection.put(id, EmbeddedItemCodec.read(record.value()));
      }
    } catch (RuntimeException e) {
      // One damaged item must not keep the others from being followed.
      LOG.warn(
          "Item '{}' at {}-{}@{} is passed over: {}",
          id,
          record.topic(),
          record.partition(),
          record.offset(),
          e.toString());
    }
  }

  private void advance(AwaitedItems awaited, Map<TopicPartition, Long> ends) {
    if (!restored
        && ends.entrySet().stream()
            .allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
      collection.flush();
      restored = true;
      LOG.info("Reference '{}' is restored: {} items", collection.name(), collection.size());
    }
    if (restored && !complete && awaited.isNothingMissing(collection)) {
      complete = true;
      onComplete.run();
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

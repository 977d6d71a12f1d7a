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
 * Reads the embedded topic of a reference from the beginning into a collection, and follows its
 * changes.
 *
 * <p>It is a consumer without a group, one per process, and not a global store, for two reasons.
 * The topologies of samples and of documents, with all their threads, share one collection, which
 * outlives each of them. And a global store would keep a second copy of every vector on disk.
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
   * Starts the follower's thread.
   *
   * @param consumer without a group; the follower closes it
   * @param onComplete runs on the follower's thread when the collection is complete
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

  /** Whether the collection has all items that were embedded before this process started. */
  public boolean isRestored() {
    return restored;
  }

  /**
   * Whether every item that the reference topic held when this process started is in the collection
   * or known to be unusable. Documents wait for it, so that no document sees part of a reference.
   */
  public boolean isComplete() {
    return complete;
  }

  /** The progress of the initial load. */
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
          // The consumer keeps its position, so the next poll reads the same records.
          LOG.warn("Cannot read reference '{}', retrying: {}", collection.name(), e.toString());
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
      apply(record, awaited);
    }
    long items = progress.items();
    progress = new ReferenceProgress(collection.name(), items - awaited.missing(), items);
    if (restored) {
      // Also without new records: the graph may have been completed after the last change.
      collection.flush();
    }
  }

  private void apply(ConsumerRecord<byte[], byte[]> record, AwaitedItems awaited) {
    try {
      if (record.key() == null) {
        throw new IllegalArgumentException("the record has no key");
      }
      awaited.arrived(record);
      String id = SourcePosition.id(record.key());
      if (record.value() == null) {
        collection.remove(id);
      } else {
        collection.put(id, EmbeddedItemCodec.read(record.value()));
      }
    } catch (RuntimeException e) {
      // A damaged item must not stop the follower.
      LOG.warn(
          "Skipping the item at {}-{}@{}: {}",
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

package dev.abacus.topology.reference.feed;

import dev.abacus.schemas.control.ReferenceProgress;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import dev.abacus.topology.reference.EmbeddedItemCodec;
import dev.abacus.topology.reference.ReferenceCollection;
import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
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
  private final Supervisor.SupervisedThread thread;

  /** What is read before the changes; null until the reference topic is read. */
  private @Nullable Initial initial;

  private volatile ReferenceProgress progress;
  private volatile boolean restored;
  private volatile boolean complete;
  private volatile boolean closed;

  /** The items that have to arrive, and what the embedded topic had when this began to read it. */
  private record Initial(AwaitedItems awaited, TopicRange embedded) {}

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
      Supervisor supervisor,
      Runnable onComplete) {
    this.consumer = consumer;
    this.referenceTopic = referenceTopic;
    this.embeddedTopic = embeddedTopic;
    this.collection = collection;
    this.onComplete = onComplete;
    this.progress = new ReferenceProgress(collection.name(), 0, 0);
    this.thread =
        supervisor.start(
            "reference " + embeddedTopic,
            this::step,
            new Supervisor.Resource(this::wake, consumer::close));
  }

  private void wake() {
    closed = true;
    consumer.wakeup();
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

  private Duration step(ThreadHealth health) {
    Initial known = initial;
    if (known == null) {
      AwaitedItems items = AwaitedItems.read(consumer, referenceTopic, () -> closed);
      progress = new ReferenceProgress(collection.name(), 0, items.missing());
      known = new Initial(items, TopicRange.all(consumer, embeddedTopic));
      consumer.seekToBeginning(known.embedded().from().keySet());
      initial = known;
    }
    apply(consumer.poll(POLL), known.awaited(), health);
    advance(known);
    return Duration.ZERO;
  }

  private void apply(
      ConsumerRecords<byte[], byte[]> records, AwaitedItems expected, ThreadHealth health) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      apply(record, expected, health);
    }
    long items = progress.items();
    progress = new ReferenceProgress(collection.name(), items - expected.missing(), items);
    if (restored) {
      // Also without new records: the graph may have been completed after the last change.
      collection.flush();
    }
  }

  private void apply(
      ConsumerRecord<byte[], byte[]> record, AwaitedItems expected, ThreadHealth health) {
    try {
      if (record.key() == null) {
        throw new IllegalArgumentException("the record has no key");
      }
      expected.arrived(record);
      String id = RecordText.key(record);
      if (record.value() == null) {
        collection.remove(id);
      } else {
        collection.put(id, EmbeddedItemCodec.LAYOUT.read(record.value()));
      }
    } catch (RuntimeException | StackOverflowError e) {
      // A damaged item must not stop the follower.
      health.skipped(RecordPosition.of(record).toString(), e);
    }
  }

  private void advance(Initial known) {
    if (!restored && known.embedded().isRead(consumer)) {
      collection.flush();
      restored = true;
      LOG.info("Reference '{}' is restored: {} items", collection.name(), collection.size());
    }
    if (restored && !complete && known.awaited().isNothingMissing(collection)) {
      complete = true;
      onComplete.run();
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}

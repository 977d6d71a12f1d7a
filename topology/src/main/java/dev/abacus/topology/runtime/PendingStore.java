package dev.abacus.topology.runtime;

import dev.abacus.topology.runtime.Pending.Admission;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * Records that are admitted and not forwarded, in order of admission. The key is a sequence number
 * of the task (8 bytes) and a kind (1 byte): the record itself, which is written once, and its
 * newest checkpoint, so that a checkpoint does not rewrite a large record. The sequence number is
 * not the offset, because a processor upstream may make several records of one.
 */
final class PendingStore {

  private static final byte ENTRY = 0;
  private static final byte CHECKPOINT = 1;

  private final KeyValueStore<Bytes, byte[]> store;

  PendingStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** One entry. */
  @SuppressWarnings("ArrayRecordComponent") // identity is meant: two entries are never compared
  record Entry(long sequence, Pending pending, byte @Nullable [] checkpoint) {}

  /**
   * What there is.
   *
   * @param first sequence number of the first record; 0 if there is none
   * @param next the first sequence number after the last record
   * @param oldest when the oldest record was admitted; null if there is none
   */
  record Backlog(int records, long first, long next, @Nullable Instant oldest) {

    static final Backlog NONE = new Backlog(0, 0, 0, null);

    Backlog and(long sequence, Pending pending) {
      Instant time = pending instanceof Admission admission ? admission.admittedAt() : null;
      boolean older = time != null && (oldest == null || time.isBefore(oldest));
      return new Backlog(
          records + 1, records == 0 ? sequence : first, sequence + 1, older ? time : oldest);
    }
  }

  /**
   * Builds the store: cached, because put and delete of a record within one commit then cost the
   * changelog one record, and logged. Its changelog is a queue that is deleted as fast as it is
   * written: small segments, eagerly compacted, keep what must be read after a crash small.
   */
  static StoreBuilder<KeyValueStore<Bytes, byte[]>> builder(
      KeyValueBytesStoreSupplier supplier, int recordLimit) {
    int largest = RuntimeSettings.largestMessage(recordLimit);
    return Stores.keyValueStoreBuilder(supplier, Serdes.Bytes(), Serdes.ByteArray())
        .withCachingEnabled()
        .withLoggingEnabled(
            Map.of(
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(largest),
                TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(64 * 1024 * 1024),
                TopicConfig.SEGMENT_MS_CONFIG, "600000",
                TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.1",
                TopicConfig.DELETE_RETENTION_MS_CONFIG, "3600000"));
  }

  void put(long sequence, Pending pending) {
    store.put(key(sequence, ENTRY), PendingRecordSerde.encode(pending));
  }

  void putCheckpoint(long sequence, byte[] state) {
    store.put(key(sequence, CHECKPOINT), PendingRecordSerde.encodeCheckpoint(state));
  }

  /** Putting null deletes without reading the old value first, which {@code delete} would. */
  void remove(long sequence, boolean withCheckpoint) {
    store.put(key(sequence, ENTRY), null);
    if (withCheckpoint) {
      store.put(key(sequence, CHECKPOINT), null);
    }
  }

  /**
   * Reads the whole store.
   *
   * @throws UnreadableEntryException if it holds what this build cannot read
   */
  Backlog backlog() {
    Backlog backlog = Backlog.NONE;
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> next = all.next();
        if (kind(next.key) == ENTRY) {
          backlog = backlog.and(sequence(next.key), PendingRecordSerde.decode(next.value));
        }
      }
    }
    return backlog;
  }

  /** Up to so many entries from this sequence number on, in order, with their checkpoints. */
  List<Entry> from(long sequence, int limit) {
    List<Entry> entries = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range = store.range(key(sequence, ENTRY), null)) {
      while (range.hasNext()) {
        KeyValue<Bytes, byte[]> next = range.next();
        if (kind(next.key) == CHECKPOINT) {
          addCheckpoint(
              entries, sequence(next.key), PendingRecordSerde.decodeCheckpoint(next.value));
        } else if (entries.size() == limit) {
          return entries;
        } else {
          entries.add(new Entry(sequence(next.key), PendingRecordSerde.decode(next.value), null));
        }
      }
    }
    return entries;
  }

  /**
   * A checkpoint follows its record; one without a record would be a leftover and is passed over.
   */
  private static void addCheckpoint(List<Entry> entries, long sequence, byte[] state) {
    if (!entries.isEmpty() && entries.getLast().sequence() == sequence) {
      Entry entry = entries.removeLast();
      entries.add(new Entry(sequence, entry.pending(), state));
    }
  }

  private static Bytes key(long sequence, byte kind) {
    return Bytes.wrap(ByteBuffer.allocate(9).putLong(sequence).put(kind).array());
  }

  private static long sequence(Bytes key) {
    return buffer(key).getLong();
  }

  private static byte kind(Bytes key) {
    return buffer(key).get(8);
  }

  private static ByteBuffer buffer(Bytes key) {
    byte[] bytes = key.get();
    if (bytes.length != 9) {
      throw new UnreadableEntryException(
          "pending entry has a key of %d bytes, not 9".formatted(bytes.length));
    }
    return ByteBuffer.wrap(bytes);
  }
}

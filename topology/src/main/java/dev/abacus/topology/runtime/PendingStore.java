package dev.abacus.topology.runtime;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * The pending records of a task, and the newest checkpoint of each, in two stores. The key of both
 * is the sequence number of the record in its task. It is not the offset, because an upstream
 * processor may create several records from one.
 *
 * <p>A checkpoint has a store of its own so that it does not rewrite a large record.
 */
record PendingStore(
    KeyValueStore<Long, PendingEntry> entries, KeyValueStore<Long, byte[]> checkpoints) {

  /** Key of the position of receipts in the store of checkpoints; no sequence number. */
  private static final long RECEIPTS_FROM = -1;

  /** The stores of a task that Kafka Streams has opened. */
  static PendingStore of(ProcessorContext<?, ?> context, String name) {
    return new PendingStore(context.getStateStore(name), context.getStateStore(checkpoints(name)));
  }

  private static String checkpoints(String name) {
    return name + "-checkpoints";
  }

  /**
   * Builds both stores.
   *
   * @param suppliers creates a store by name, ordered by key
   * @param recordLimit see {@link RuntimeSettings#recordLimit}
   */
  static Set<StoreBuilder<?>> builders(
      String name, Function<String, KeyValueBytesStoreSupplier> suppliers, int recordLimit) {
    return Set.of(
        builder(suppliers.apply(name), PendingEntrySerde.LAYOUT.serde(), recordLimit),
        builder(suppliers.apply(checkpoints(name)), Serdes.ByteArray(), recordLimit));
  }

  /**
   * The stores are cached: a record that is put and deleted between two commits costs its changelog
   * one record. A changelog is a queue whose records are deleted as fast as they are written, so
   * small segments and eager compaction keep restoration short.
   */
  private static <V> StoreBuilder<KeyValueStore<Long, V>> builder(
      KeyValueBytesStoreSupplier supplier, Serde<V> values, int recordLimit) {
    int largest = new RecordSizes(recordLimit).largestMessage();
    return Stores.keyValueStoreBuilder(supplier, Serdes.Long(), values)
        .withCachingEnabled()
        .withLoggingEnabled(
            Map.of(
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(largest),
                TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(64 * 1024 * 1024),
                TopicConfig.SEGMENT_MS_CONFIG, "600000",
                TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.1",
                TopicConfig.DELETE_RETENTION_MS_CONFIG, "3600000"));
  }

  void put(long sequence, PendingEntry entry) {
    entries.put(sequence, entry);
  }

  void putCheckpoint(long sequence, byte[] state) {
    checkpoints.put(sequence, state);
  }

  /** Stores the epoch of an unstamped record, and a state to resume from; empty for none. */
  void putCheckpoint(long sequence, long epoch, byte[] state) {
    checkpoints.put(
        sequence, ByteBuffer.allocate(Long.BYTES + state.length).putLong(epoch).put(state).array());
  }

  /** Stores the position of the receipts of all records that are not forwarded. */
  void putReceiptsFrom(long position) {
    checkpoints.put(RECEIPTS_FROM, ByteBuffer.allocate(Long.BYTES).putLong(position).array());
  }

  /**
   * What is stored of the work on a record.
   *
   * @param epoch {@link Work#UNSTAMPED} if none is stored
   * @param state null if none is stored
   * @param exists whether the store has an entry
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Stored(long epoch, byte @Nullable [] state, boolean exists) {}

  /** The newest checkpoint of a record. If its entry is unstamped, the epoch is in front. */
  Stored checkpoint(long sequence, PendingEntry entry) {
    byte[] value = checkpoints.get(sequence);
    long epoch = entry instanceof PendingRecord record ? record.epoch() : 0;
    if (value == null || epoch != Work.UNSTAMPED) {
      return new Stored(epoch, value, value != null);
    }
    boolean bare = value.length == Long.BYTES;
    return new Stored(
        ByteBuffer.wrap(value).getLong(),
        bare ? null : Arrays.copyOfRange(value, Long.BYTES, value.length),
        true);
  }

  /** Deletes an entry. {@code put(null)}, unlike {@code delete}, does not read the old value. */
  @SuppressWarnings("NullAway") // Kafka's API is not annotated
  void remove(long sequence, boolean hasCheckpoint) {
    entries.put(sequence, null);
    if (hasCheckpoint) {
      checkpoints.put(sequence, null);
    }
  }

  /**
   * The content of the store when its task is opened.
   *
   * @param first the sequence number of the first entry
   * @param size number of all entries
   * @param next the sequence number after the last entry
   * @param receiptsFrom the position from which receipts of these records, and of records that were
   *     admitted without a commit, are read
   */
  record Backlog(long first, int size, long next, long receiptsFrom) {}

  /** Reads the store once. */
  Backlog backlog() {
    long first = 0;
    int size = 0;
    long next = 0;
    try (KeyValueIterator<Long, PendingEntry> all = entries.all()) {
      while (all.hasNext()) {
        long sequence = all.next().key;
        first = size == 0 ? sequence : first;
        size++;
        next = sequence + 1;
      }
    }
    byte[] from = checkpoints.get(RECEIPTS_FROM);
    return new Backlog(
        first, size, next, from == null ? ReceiptLog.BEGINNING : ByteBuffer.wrap(from).getLong());
  }

  /** Loads entries from this sequence number on, in order, one by one while there is room. */
  void load(long from, BooleanSupplier room, Consumer<KeyValue<Long, PendingEntry>> loaded) {
    try (KeyValueIterator<Long, PendingEntry> range = entries.range(from, null)) {
      while (room.getAsBoolean() && range.hasNext()) {
        loaded.accept(range.next());
      }
    }
  }
}

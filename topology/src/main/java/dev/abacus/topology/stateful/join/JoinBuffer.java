package dev.abacus.topology.stateful.join;

import dev.abacus.topology.stateful.time.KeyLayout.Deadline;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The documents of both inputs of a join that may still find a partner, an index of them by expiry,
 * and the number of the next document.
 */
final class JoinBuffer {

  private static final String DOCUMENTS = "documents";
  private static final String EXPIRIES = "expiries";
  private static final String SEQUENCE = "sequence";
  private static final String NEXT = "next";

  private final KeyValueStore<JoinKey, BufferedDocument> documents;
  private final KeyValueStore<Deadline<JoinKey>, Boolean> expiries;
  private final KeyValueStore<String, Long> sequence;

  private JoinBuffer(
      KeyValueStore<JoinKey, BufferedDocument> documents,
      KeyValueStore<Deadline<JoinKey>, Boolean> expiries,
      KeyValueStore<String, Long> sequence) {
    this.documents = documents;
    this.expiries = expiries;
    this.sequence = sequence;
  }

  static Set<StoreBuilder<?>> builders(StatefulContext operator) {
    return Set.of(
        operator.storeBuilder(DOCUMENTS, JoinKey.LAYOUT.serde(), BufferedDocument.SERDE),
        operator.storeBuilder(EXPIRIES, JoinKey.LAYOUT.deadlineSerde(), Serdes.Boolean()),
        operator.storeBuilder(SEQUENCE, Serdes.String(), Serdes.Long()));
  }

  /** Opens the stores of a task. */
  static JoinBuffer open(ProcessorContext<?, ?> context, StatefulContext operator) {
    return new JoinBuffer(
        context.getStateStore(operator.store(DOCUMENTS)),
        context.getStateStore(operator.store(EXPIRIES)),
        context.getStateStore(operator.store(SEQUENCE)));
  }

  /**
   * The number of a new document. A number is never used again, also after a restart, because
   * records behind the join refer to it.
   */
  long nextNumber() {
    @Nullable Long stored = sequence.get(NEXT);
    long number = stored == null ? 0 : stored;
    sequence.put(NEXT, number + 1);
    return number;
  }

  /** Keeps a document until event time has passed its expiry. */
  void add(JoinKey key, BufferedDocument document, long expiry) {
    documents.put(key, document);
    expiries.put(new Deadline<>(expiry, key), true);
  }

  /**
   * The documents of one side and group, in the order of their timestamps.
   *
   * @param from least timestamp, inclusive
   * @param to largest timestamp, inclusive
   */
  List<KeyValue<JoinKey, BufferedDocument>> find(int side, Bytes group, long from, long to) {
    List<KeyValue<JoinKey, BufferedDocument>> found = new ArrayList<>();
    try (KeyValueIterator<JoinKey, BufferedDocument> range =
        documents.range(
            new JoinKey(side, group, Math.max(0, from), 0),
            new JoinKey(side, group, to, Long.MAX_VALUE))) {
      range.forEachRemaining(found::add);
    }
    return found;
  }

  /** Removes documents that expire before an event time, in the order of expiry. */
  List<KeyValue<JoinKey, BufferedDocument>> removeExpired(long eventTime, int limit) {
    List<Deadline<JoinKey>> expired = new ArrayList<>();
    try (KeyValueIterator<Deadline<JoinKey>, Boolean> all = expiries.all()) {
      while (all.hasNext() && expired.size() < limit && all.peekNextKey().time() < eventTime) {
        expired.add(all.next().key);
      }
    }
    List<KeyValue<JoinKey, BufferedDocument>> removed = new ArrayList<>();
    for (Deadline<JoinKey> expiry : expired) {
      removed.add(KeyValue.pair(expiry.key(), documents.delete(expiry.key())));
      expiries.delete(expiry);
    }
    return removed;
  }
}

package dev.abacus.topology.stateful.join;

import dev.abacus.schemas.kafka.BinaryLayout;
import dev.abacus.topology.stateful.time.BufferedDocument;
import dev.abacus.topology.stateful.time.DeadlineIndex;
import dev.abacus.topology.stateful.time.OperatorStore;
import dev.abacus.topology.stateful.time.Slice;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The documents of both inputs of a join that may still find a partner, an index of them by expiry,
 * the searches that are not at their end, and the number of the next document.
 */
record JoinBuffer(
    KeyValueStore<JoinKey, BufferedDocument> documents,
    DeadlineIndex<JoinKey> expiries,
    KeyValueStore<Long, OpenMatch> matches,
    KeyValueStore<String, Long> sequence) {

  static final OperatorStore<JoinKey, BufferedDocument> DOCUMENTS =
      new OperatorStore<>("documents", JoinKey.LAYOUT.serde(), BufferedDocument.SERDE);

  static final OperatorStore<BinaryLayout.Deadline<JoinKey>, Boolean> EXPIRIES =
      new OperatorStore<>("expiries", JoinKey.LAYOUT.byDeadline().serde(), Serdes.Boolean());

  static final OperatorStore<Long, OpenMatch> MATCHES =
      new OperatorStore<>("matches", Serdes.Long(), OpenMatch.SERDE);

  static final OperatorStore<String, Long> SEQUENCE =
      new OperatorStore<>("sequence", Serdes.String(), Serdes.Long());

  private static final String NEXT = "next";

  /** Partners that are read at a time, and about the most characters of them. */
  private static final int BATCH = 1_000;

  private static final long BATCH_LENGTH = 4 * 1024 * 1024;

  private static final JoinKey SMALLEST = new JoinKey(0, StreamJoinProcessor.NO_GROUP, 0, 0);

  /** Opens the stores of a task. */
  static JoinBuffer open(StatefulContext operator, ProcessorContext<?, ?> task) {
    return new JoinBuffer(
        DOCUMENTS.open(operator, task),
        new DeadlineIndex<>(EXPIRIES.open(operator, task), SMALLEST),
        MATCHES.open(operator, task),
        SEQUENCE.open(operator, task));
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
    expiries.add(expiry, key);
  }

  BufferedDocument get(JoinKey key) {
    return Objects.requireNonNull(documents.get(key), "a search without its document");
  }

  /** The next partners of a search, in the order of their timestamps; empty at its end. */
  List<KeyValue<JoinKey, BufferedDocument>> partners(OpenMatch match) {
    List<KeyValue<JoinKey, BufferedDocument>> found = new ArrayList<>();
    long length = 0;
    try (KeyValueIterator<JoinKey, BufferedDocument> range =
        documents.range(match.next(), match.last())) {
      while (range.hasNext() && found.size() < BATCH && length < BATCH_LENGTH) {
        KeyValue<JoinKey, BufferedDocument> partner = range.next();
        found.add(partner);
        length += partner.value.envelope().document().textLength();
      }
    }
    return found;
  }

  /** The search that began first of those that are not at their end. */
  @Nullable OpenMatch firstMatch() {
    try (KeyValueIterator<Long, OpenMatch> all = matches.all()) {
      return all.hasNext() ? all.next().value : null;
    }
  }

  /** Keeps a search for a later slice. */
  void putMatch(OpenMatch match) {
    matches.put(match.document().number(), match);
  }

  void removeMatch(OpenMatch match) {
    matches.delete(match.document().number());
  }

  /**
   * Removes documents that expire before an event time, in the order of expiry.
   *
   * @return whether no more are left; if not, the slice is over
   */
  boolean expire(
      long eventTime, Slice slice, Consumer<KeyValue<JoinKey, BufferedDocument>> expired) {
    return expiries.closeDue(
        eventTime - 1, slice, key -> expired.accept(KeyValue.pair(key, documents.delete(key))));
  }
}

package dev.abacus.topology.stateful.limit;

import dev.abacus.schemas.program.Limit;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.stateful.time.BufferedDocument;
import dev.abacus.topology.stateful.time.EventTime;
import dev.abacus.topology.stateful.time.EventTimeProcessor;
import dev.abacus.topology.stateful.time.OperatorStore;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.RepartitionKey.DocumentKey;
import dev.abacus.topology.stateful.time.Slice;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.List;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the documents of least rank of each window when it closes in event time, in the order of
 * their ranks, and drops the others as soon as enough better ones have arrived. Its repartition
 * topic has one partition, so the limit is exact over all documents.
 */
public final class OrderedLimitProcessor extends EventTimeProcessor {

  private static final OperatorStore<RankedKey, BufferedDocument> BEST =
      new OperatorStore<>("best", RankedKey.SERDE, BufferedDocument.SERDE);

  private static final OperatorStore<Long, Long> COUNTS =
      new OperatorStore<>("counts", Serdes.Long(), Serdes.Long());

  /** The stores of an ordered limit. */
  public static final List<OperatorStore<?, ?>> STORES = List.of(WATERMARKS, BEST, COUNTS);

  /** Documents that are read at a time. */
  private static final int BATCH = 100;

  private final Limit limit;
  private final long size;
  private final long grace;
  private final KeyValueStore<RankedKey, BufferedDocument> best;
  private final KeyValueStore<Long, Long> counts;

  public OrderedLimitProcessor(
      Limit limit, StatefulContext operator, ProcessorContext<byte[], byte[]> context) {
    super(operator, context);
    this.limit = limit;
    this.size = limit.orderWindow().size().toMillis();
    this.grace = limit.orderWindow().grace().toMillis();
    this.best = BEST.open(operator, context);
    this.counts = COUNTS.open(operator, context);
  }

  @Override
  protected void onDocument(DocumentKey key, Record<RepartitionKey, Envelope> record) {
    services().countFlow(limit.id(), 1, 0);
    Envelope envelope = record.value();
    long start = record.timestamp() - record.timestamp() % size;
    String problem = SortKey.problem(envelope.document(), limit.order());
    if (problem != null) {
      deadLetter(record, "NoOrder", problem);
    } else if (closes(start) <= eventTime()) {
      deadLetterOfLate(record);
    } else {
      byte[] rank = SortKey.of(envelope.document(), limit.order(), envelope.key());
      keep(
          new RankedKey(start, Bytes.wrap(rank), offset(), record.timestamp()),
          new BufferedDocument(List.of(record.headers().toArray()), envelope));
    }
  }

  /** The offset in the repartition topic: no later document has a smaller one. */
  private long offset() {
    return context().recordMetadata().orElseThrow().offset();
  }

  private void keep(RankedKey key, BufferedDocument document) {
    @Nullable Long stored = counts.get(key.start());
    long count = stored == null ? 0 : stored;
    if (count < limit.count()) {
      counts.put(key.start(), count + 1);
      best.put(key, document);
      return;
    }
    RankedKey last = last(key.start());
    if (key.compareTo(last) > 0) {
      services().countDropped(document.envelope());
      return;
    }
    best.put(key, document);
    services().countDropped(best.delete(last).envelope());
  }

  private RankedKey last(long start) {
    try (KeyValueIterator<RankedKey, BufferedDocument> kept =
        best.reverseRange(RankedKey.first(start), RankedKey.first(start + size))) {
      return kept.next().key;
    }
  }

  @Override
  protected boolean advance(long time, Slice slice) {
    List<KeyValue<Long, Long>> due = due(EventTime.minus(time, size + grace));
    while (!due.isEmpty()) {
      for (KeyValue<Long, Long> window : due) {
        if (!emit(window.key, slice)) {
          return false;
        }
        counts.delete(window.key);
      }
      due = due(EventTime.minus(time, size + grace));
    }
    return true;
  }

  /** The first windows that begin up to a time. */
  private List<KeyValue<Long, Long>> due(long latestStart) {
    return latestStart < 0 ? List.of() : OperatorStore.first(counts.range(0L, latestStart), BATCH);
  }

  /** Forwards the documents of a window; false if the slice is over before their end is seen. */
  private boolean emit(long start, Slice slice) {
    RankedKey from = RankedKey.first(start);
    List<KeyValue<RankedKey, BufferedDocument>> batch = batch(from);
    while (!batch.isEmpty()) {
      for (KeyValue<RankedKey, BufferedDocument> next : batch) {
        BufferedDocument document = next.value;
        services().countFlow(limit.id(), 0, 1);
        forward(document.envelope(), next.key.timestamp(), document.headers());
        best.delete(next.key);
        from = next.key;
        if (slice.isOver()) {
          return false;
        }
      }
      batch = batch(from);
    }
    return true;
  }

  private List<KeyValue<RankedKey, BufferedDocument>> batch(RankedKey from) {
    return OperatorStore.first(best.range(from, RankedKey.first(from.start() + size)), BATCH);
  }

  private long closes(long start) {
    return EventTime.plus(start, size + grace);
  }

  /** No document is forwarded any more that is older than the first window that may be open. */
  @Override
  protected long outputWatermark(long time) {
    long open = EventTime.minus(time, grace);
    return open < 0 || EventTime.isEnd(open) ? open : open - open % size;
  }
}

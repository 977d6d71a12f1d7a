package dev.abacus.topology.stateful.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.stateful.time.BufferedDocument;
import dev.abacus.topology.stateful.time.EventTime;
import dev.abacus.topology.stateful.time.EventTimeProcessor;
import dev.abacus.topology.stateful.time.OperatorStore;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.RepartitionKey.DocumentKey;
import dev.abacus.topology.stateful.time.Slice;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the documents of two streams whose timestamps are close enough and whose fields are equal.
 * A document is buffered until event time has passed it by the join's window. A left join then
 * forwards a left document that has found no partner, alone.
 *
 * <p>If the join has a condition, the pairs are candidates: a segment behind this processor decides
 * each of them, and for a left join {@link UnmatchedProcessor} keeps track of the decisions.
 */
public final class StreamJoinProcessor extends EventTimeProcessor {

  /** The group of documents that lack the field which must be equal, or of all if none must. */
  public static final Bytes NO_GROUP = Bytes.wrap(new byte[0]);

  private static final int LEFT = 0;

  /** The most left documents whose pairs are counted at a time; a part is enough. */
  private static final int MOST_COUNTED = 1_000;

  /** The numbers of left documents of a left join that have found a partner. */
  static final OperatorStore<Long, Boolean> MATCHED =
      new OperatorStore<>("matched", Serdes.Long(), Serdes.Boolean());

  /** The stores of a join. */
  public static final List<OperatorStore<?, ?>> STORES =
      List.of(
          WATERMARKS,
          MATCHED,
          JoinBuffer.DOCUMENTS,
          JoinBuffer.EXPIRIES,
          JoinBuffer.MATCHES,
          JoinBuffer.SEQUENCE);

  private final StreamJoin join;
  private final boolean leftJoin;
  private final long within;

  /**
   * Candidate pairs of left documents that have not expired, by their numbers. They are counted at
   * expiry, because most partners come later. The counts are not stored: what was buffered before a
   * restart is left out.
   */
  private final Map<Long, Long> candidates = new HashMap<>();

  private final JoinBuffer buffer;
  private final KeyValueStore<Long, Boolean> matched;

  /** Whether searches may be stored that are not at their end. */
  private boolean matching;

  public StreamJoinProcessor(
      StreamJoin join, StatefulContext operator, ProcessorContext<byte[], byte[]> context) {
    super(operator, context);
    this.join = join;
    this.leftJoin = join.joinKind() == JoinKind.LEFT;
    this.within = join.within().toMillis();
    this.buffer = JoinBuffer.open(operator, context);
    this.matched = MATCHED.open(operator, context);
    this.matching = buffer.firstMatch() != null;
  }

  @Override
  protected void onDocument(DocumentKey key, Record<RepartitionKey, Envelope> record) {
    if (EventTime.plus(record.timestamp(), within) < eventTime()) {
      String message =
          "its timestamp is %d, but '%s' has joined all documents before %d"
              .formatted(record.timestamp(), join.id(), eventTime() - within);
      deadLetter(record, "LateDocument", message);
    } else if (join.on() != null && key.group().equals(NO_GROUP)) {
      unmatchable(key, record);
    } else {
      match(key, record);
    }
  }

  /** Handles a document that lacks the field which must be equal: it has no partner. */
  private void unmatchable(DocumentKey key, Record<RepartitionKey, Envelope> record) {
    if (key.side() == LEFT) {
      services().countFlow(join.id(), 1, 0);
    }
    if (key.side() == LEFT && leftJoin) {
      forwardAlone(entry(key, record));
    } else {
      services().countDropped(record.value());
    }
  }

  private void match(DocumentKey key, Record<RepartitionKey, Envelope> record) {
    KeyValue<JoinKey, BufferedDocument> entry = entry(key, record);
    long latest = EventTime.plus(record.timestamp(), within);
    buffer.add(entry.key, entry.value, latest);
    if (key.side() == LEFT && candidates.size() < MOST_COUNTED) {
      candidates.put(entry.key.number(), 0L);
    }
    // A document that event time has passed is as good as removed.
    OpenMatch match =
        OpenMatch.begin(entry.key, Math.max(record.timestamp(), eventTime()) - within, latest);
    OpenMatch rest = matching ? match : pairs(match, entry.value, slice());
    if (rest != null) {
      matching = true;
      buffer.putMatch(rest);
      goOn();
    }
  }

  /** Forwards the pairs of a search; returns what is left of it when the slice is over. */
  private @Nullable OpenMatch pairs(OpenMatch match, BufferedDocument document, Slice slice) {
    KeyValue<JoinKey, BufferedDocument> entry = KeyValue.pair(match.document(), document);
    OpenMatch rest = match;
    for (List<KeyValue<JoinKey, BufferedDocument>> partners = buffer.partners(rest);
        !partners.isEmpty();
        partners = buffer.partners(rest)) {
      for (KeyValue<JoinKey, BufferedDocument> partner : partners) {
        if (partner.key.number() < entry.key.number()) {
          boolean isLeft = entry.key.side() == LEFT;
          forwardPair(isLeft ? entry : partner, isLeft ? partner : entry);
        }
        rest = rest.after(partner.key);
        if (slice.isOver()) {
          return rest;
        }
      }
    }
    return null;
  }

  private KeyValue<JoinKey, BufferedDocument> entry(
      DocumentKey key, Record<RepartitionKey, Envelope> record) {
    return KeyValue.pair(
        new JoinKey(key.side(), key.group(), record.timestamp(), buffer.nextNumber()),
        new BufferedDocument(List.of(record.headers().toArray()), record.value()));
  }

  private void forwardPair(
      KeyValue<JoinKey, BufferedDocument> left, KeyValue<JoinKey, BufferedDocument> right) {
    candidates.computeIfPresent(left.key.number(), (_, count) -> count + 1);
    List<Header> headers = new ArrayList<>(left.value.headers());
    if (leftJoin && join.isSemantic()) {
      headers.add(PairHeaders.pairOf(left.key.number()));
    } else if (leftJoin) {
      matched.put(left.key.number(), true);
    }
    Envelope pair = pair(left.value.envelope(), right.value.envelope());
    byte[] value = pair.toBytes();
    long timestamp = Math.max(left.key.timestamp(), right.key.timestamp());
    String problem =
        services().sizes().problem("the pair", RecordSizes.of(pair.key(), value, headers));
    if (problem == null) {
      forward(pair.key(), value, timestamp, headers);
      return;
    }
    deadLetter(pair, timestamp, headers, "PairTooLarge", problem);
    if (leftJoin && join.isSemantic()) {
      forward(pair.key(), null, timestamp, headers); // as of a pair that failed
    }
  }

  private Envelope pair(Envelope left, Envelope right) {
    Document document = left.document().with(join.into(), right.document().toJson());
    Provenance provenance =
        left.provenance().with(left.provenance().epoch(), right.provenance().usage());
    // Both keys, because a document may have several partners.
    return new Envelope(left.keyOf(right.keyOrSource()), document, provenance, null, null);
  }

  /** Searches first: a document does not expire before its partners have been searched. */
  @Override
  protected boolean advance(long time, Slice slice) {
    for (OpenMatch match = firstMatch(); match != null; match = firstMatch()) {
      OpenMatch rest = pairs(match, buffer.get(match.document()), slice);
      if (rest != null) {
        buffer.putMatch(rest);
        return false;
      }
      buffer.removeMatch(match);
    }
    return buffer.expire(time, slice, this::expired);
  }

  private @Nullable OpenMatch firstMatch() {
    OpenMatch first = matching ? buffer.firstMatch() : null;
    matching = first != null;
    return first;
  }

  private void expired(KeyValue<JoinKey, BufferedDocument> entry) {
    Long pairs = candidates.remove(entry.key.number());
    if (pairs != null) {
      services().countFlow(join.id(), 1, pairs);
    }
    if (leftJoin && entry.key.side() == LEFT && matched.delete(entry.key.number()) == null) {
      forwardAlone(entry);
    }
  }

  @Override
  protected long outputWatermark(long time) {
    return EventTime.minus(time, within);
  }

  private void forwardAlone(KeyValue<JoinKey, BufferedDocument> left) {
    List<Header> headers = new ArrayList<>(left.value.headers());
    if (join.isSemantic()) {
      headers.add(PairHeaders.noMorePairsOf(left.key.number()));
    }
    forward(left.value.envelope(), left.key.timestamp(), headers);
  }
}

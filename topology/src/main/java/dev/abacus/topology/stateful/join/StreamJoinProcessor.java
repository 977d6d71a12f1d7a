package dev.abacus.topology.stateful.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.stateful.time.EventTimeProcessor;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.StatefulContext;
import dev.abacus.topology.stateful.time.WatermarkTracker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Pairs the documents of two streams whose timestamps are close enough and whose keys are equal. A
 * document waits for partners until event time has passed it by the join's window; then a left one
 * without a partner goes on alone, if the join is a left join.
 *
 * <p>If the join has a condition, what leaves here are candidates: a segment behind asks about each
 * pair, and for a left join {@link UnmatchedProcessor} keeps account of the answers.
 */
public final class StreamJoinProcessor extends EventTimeProcessor<JoinBuffer> {

  private static final int LEFT = 0;
  private static final int BATCH = 100;

  private final StreamJoin join;
  private final long within;

  public StreamJoinProcessor(StreamJoin join, StatefulContext operatorContext) {
    super(operatorContext);
    this.join = join;
    this.within = join.within().toMillis();
  }

  @Override
  public JoinBuffer stateIn(KeyValueStore<Bytes, byte[]> store) {
    return new JoinBuffer(store);
  }

  @Override
  public void take(Record<byte[], byte[]> record, RepartitionKey key) {
    Envelope envelope = Envelope.read(record.value());
    long timestamp = record.timestamp();
    if (WatermarkTracker.plus(timestamp, within) < time()) {
      operatorContext()
          .dead(
              context(),
              envelope,
              timestamp,
              record.headers(),
              "LateDocument",
              "its timestamp is %d, but '%s' has joined what lies before %d"
                  .formatted(timestamp, join.id(), time() - within));
    } else if (join.on() != null && key.group().length == 0) {
      unmatchable(record, key.side(), envelope);
    } else {
      JoinBuffer.Entry entry =
          state()
              .add(
                  key.side(),
                  key.group(),
                  timestamp,
                  record.headers(),
                  envelope,
                  WatermarkTracker.plus(timestamp, within));
      List<JoinBuffer.Entry> partners =
          state()
              .find(
                  1 - key.side(),
                  key.group(),
                  timestamp - within,
                  WatermarkTracker.plus(timestamp, within));
      for (JoinBuffer.Entry partner : partners) {
        pair(key.side() == LEFT ? entry : partner, key.side() == LEFT ? partner : entry);
      }
    }
  }

  /** It lacks the field that must be equal, so no partner will come. */
  private void unmatchable(Record<byte[], byte[]> record, int side, Envelope envelope) {
    if (side == LEFT && join.joinKind() == JoinKind.LEFT) {
      JoinBuffer.Entry entry =
          new JoinBuffer.Entry(side, -1, record.timestamp(), record.headers(), envelope);
      alone(entry);
    } else {
      operatorContext().leftOut(envelope);
    }
  }

  private void pair(JoinBuffer.Entry left, JoinBuffer.Entry right) {
    Document document =
        left.envelope().document().with(join.into(), right.envelope().document().toJson());
    Provenance way = left.envelope().provenance();
    Provenance provenance = way.with(way.epoch(), right.envelope().provenance().cost());
    Envelope pair =
        new Envelope(key(left.envelope(), right.envelope()), document, provenance, null, null);
    RecordHeaders headers = new RecordHeaders(left.headers());
    if (join.joinKind() == JoinKind.LEFT && join.isSemantic()) {
      headers.add(PairHeaders.pairOf(left.number()));
    } else if (join.joinKind() == JoinKind.LEFT) {
      state().markFound(left.number());
    }
    long timestamp = Math.max(left.timestamp(), right.timestamp());
    operatorContext().forward(context(), pair, pair.toBytes(), timestamp, headers);
  }

  /** Both keys, since a document may have several partners. */
  private static byte[] key(Envelope left, Envelope right) {
    byte[] first = name(left);
    byte[] second = name(right);
    return ByteBuffer.allocate(first.length + 1 + second.length)
        .put(first)
        .put((byte) '#')
        .put(second)
        .array();
  }

  private static byte[] name(Envelope envelope) {
    byte[] key = envelope.key();
    return key == null ? envelope.provenance().source().getBytes(StandardCharsets.UTF_8) : key;
  }

  @Override
  public void reached(long time) {
    List<JoinBuffer.Entry> expired = state().expire(time, BATCH);
    while (!expired.isEmpty()) {
      for (JoinBuffer.Entry entry : expired) {
        if (entry.side() == LEFT) {
          expired(entry);
        }
      }
      expired = state().expire(time, BATCH);
    }
    WatermarkTracker.forward(
        context(),
        new Watermark(context().taskId().partition(), WatermarkTracker.minus(time, within), false),
        operatorContext().children());
  }

  private void expired(JoinBuffer.Entry left) {
    if (join.joinKind() == JoinKind.LEFT && !state().takeFound(left.number())) {
      alone(left);
    }
  }

  private void alone(JoinBuffer.Entry left) {
    RecordHeaders headers = new RecordHeaders(left.headers());
    if (join.isSemantic()) {
      headers.add(PairHeaders.noMorePairsOf(left.number()));
    }
    operatorContext()
        .forward(context(), left.envelope(), left.envelope().toBytes(), left.timestamp(), headers);
  }
}

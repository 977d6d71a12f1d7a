package dev.abacus.topology.stateful;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.aggregate.GroupKey;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.stateful.limit.LimitCounter;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.StatefulContext;
import dev.abacus.topology.stateful.time.WatermarkTracker;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.util.List;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Stands at one input of a stateful operator, before its topic: keys documents by what brings them
 * together.
 *
 * <p>A limit counts here already, for each partition: of one partition no more than the limit can
 * ever be let through, so what is above it need not travel.
 */
final class RepartitionProcessor extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private final LogicalOperator operator;
  private final int side;
  private final String store;
  private final ProgramCounters counters;
  private @Nullable LimitCounter count;
  private long watermark = -1;

  /**
   * The entrance of an input.
   *
   * @param side index of the input
   * @param store name of the store that a limit counts in; others need none
   */
  RepartitionProcessor(LogicalOperator operator, int side, String store, ProgramCounters counters) {
    this.operator = operator;
    this.side = side;
    this.store = store;
    this.counters = counters;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    count =
        operator instanceof Limit limit
            ? new LimitCounter(limit, context.getStateStore(store))
            : null;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (Watermark.is(record.value(), record.headers())) {
      watermark = Math.max(watermark, WatermarkTracker.read(record).time());
      if (count != null) {
        count.expire(watermark);
      }
      context().forward(record.withKey(new RepartitionKey(true, side, new byte[0]).toBytes()));
    } else if (record.value() == null) {
      counters.filtered(
          0); // a tombstone: what a stateful operator has taken in cannot be taken back
    } else if (count != null && !count.admit(record.timestamp(), watermark)) {
      StatefulContext.leftOut(Envelope.read(record.value()), counters);
    } else {
      byte[] group = group(Envelope.read(record.value()).document());
      context().forward(record.withKey(new RepartitionKey(false, side, group).toBytes()));
    }
  }

  private byte[] group(Document document) {
    return switch (operator) {
      case Aggregate aggregate -> GroupKey.bytes(GroupKey.of(document, aggregate.by()));
      case StreamJoin join when join.on() != null -> on(document, join.on());
      case LogicalOperator _ -> new byte[0];
    };
  }

  /** Nothing equals a value that is missing; such documents stay where they are. */
  private static byte[] on(Document document, String field) {
    ArrayNode value = GroupKey.of(document, List.of(field));
    return value.get(0).isNull() ? new byte[0] : GroupKey.bytes(value);
  }
}

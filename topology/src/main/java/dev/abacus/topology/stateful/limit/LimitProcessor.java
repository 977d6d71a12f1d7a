package dev.abacus.topology.stateful.limit;

import dev.abacus.schemas.program.Limit;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.stateful.time.EventTimeProcessor;
import dev.abacus.topology.stateful.time.OperatorStore;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.RepartitionKey.DocumentKey;
import dev.abacus.topology.stateful.time.Slice;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.List;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Forwards the first documents and drops the others, first come first served. Its repartition topic
 * has one partition, so the limit is exact over all documents.
 */
public final class LimitProcessor extends EventTimeProcessor {

  private static final OperatorStore<Long, Long> COUNTS =
      new OperatorStore<>("counts", Serdes.Long(), Serdes.Long());

  /** The stores of a limit. */
  public static final List<OperatorStore<?, ?>> STORES = List.of(WATERMARKS, COUNTS);

  private final Limit limit;
  private final LimitCounter counter;

  public LimitProcessor(
      Limit limit, StatefulContext operator, ProcessorContext<byte[], byte[]> context) {
    super(operator, context);
    this.limit = limit;
    this.counter = new LimitCounter(limit, COUNTS.open(operator, context));
  }

  @Override
  protected void onDocument(DocumentKey key, Record<RepartitionKey, Envelope> document) {
    if (counter.admit(document.timestamp(), eventTime())) {
      services().countFlow(limit.id(), 0, 1);
      forward(document.value(), document.timestamp(), document.headers());
    } else {
      services().countDropped(document.value());
    }
  }

  @Override
  protected boolean advance(long time, Slice slice) {
    counter.expire(time);
    return true;
  }

  @Override
  protected long outputWatermark(long time) {
    return time;
  }
}

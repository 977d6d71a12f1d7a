package dev.abacus.topology.stateful.limit;

import dev.abacus.schemas.program.Limit;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.stateful.time.EventTimeProcessor;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.StatefulContext;
import dev.abacus.topology.stateful.time.WatermarkTracker;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Lets the first documents through, first come first served. It reads one partition, so the count
 * is exact over all; and the count is in a store, so it is exact over restarts.
 */
public final class LimitProcessor extends EventTimeProcessor<LimitCounter> {

  private final Limit limit;

  public LimitProcessor(Limit limit, StatefulContext operatorContext) {
    super(operatorContext);
    this.limit = limit;
  }

  @Override
  public LimitCounter stateIn(KeyValueStore<Bytes, byte[]> store) {
    return new LimitCounter(limit, store);
  }

  @Override
  public void take(Record<byte[], byte[]> record, RepartitionKey key) {
    Envelope envelope = Envelope.read(record.value());
    if (!state().admit(record.timestamp(), time())) {
      operatorContext().leftOut(envelope);
      return;
    }
    operatorContext()
        .forward(context(), envelope, record.value(), record.timestamp(), record.headers());
  }

  @Override
  public void reached(long time) {
    state().expire(time);
    WatermarkTracker.forward(
        context(),
        new Watermark(context().taskId().partition(), time, false),
        operatorContext().children());
  }
}

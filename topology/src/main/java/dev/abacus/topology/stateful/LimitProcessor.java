package dev.abacus.topology.stateful;

import dev.abacus.schemas.program.Limit;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Watermark;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Lets the first documents through, first come first served. It reads one partition, so the count
 * is exact over all; and the count is in a store, so it is exact over restarts.
 */
final class LimitProcessor extends EventTimeProcessor<LimitCount> {

  private final Limit limit;

  LimitProcessor(Limit limit, BreakerContext breaker) {
    super(breaker);
    this.limit = limit;
  }

  @Override
  LimitCount stateIn(KeyValueStore<Bytes, byte[]> store) {
    return new LimitCount(limit, store);
  }

  @Override
  void take(Record<byte[], byte[]> record, InternalKey key) {
    Envelope envelope = Envelope.read(record.value());
    if (!state().admit(record.timestamp(), time())) {
      breaker().leftOut(envelope);
      return;
    }
    breaker().forward(context(), envelope, record.value(), record.timestamp(), record.headers());
  }

  @Override
  void reached(long time) {
    state().expire(time);
    Watermarks.forward(
        context(),
        new Watermark(context().taskId().partition(), time, false),
        breaker().children());
  }
}

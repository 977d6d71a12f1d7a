package dev.abacus.topology.breaker;

import dev.abacus.schemas.program.Limit;
import dev.abacus.topology.passage.Envelope;
import dev.abacus.topology.passage.Watermark;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Lets the first documents through, first come first served. It reads one partition, so the count
 * is exact over all; and the count is in a store, so it is exact over restarts.
 */
final class LimitProcessor extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private final Limit limit;
  private final BreakerContext breaker;
  private @Nullable Open open;

  private record Open(LimitCount count, Watermarks watermarks) {}

  LimitProcessor(Limit limit, BreakerContext breaker) {
    this.limit = limit;
    this.breaker = breaker;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(breaker.store());
    open = new Open(new LimitCount(limit, store), new Watermarks(store, breaker.partitions()));
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    Open now = java.util.Objects.requireNonNull(open, "process before init");
    InternalKey key = InternalKey.read(record.key());
    if (key.watermark()) {
      if (now.watermarks().hear(key.side(), Watermarks.read(record))) {
        long time = now.watermarks().current();
        now.count().expire(time);
        Watermarks.forward(
            context(),
            new Watermark(context().taskId().partition(), time, false),
            breaker.children());
      }
    } else if (now.count().admit(record.timestamp(), now.watermarks().current())) {
      breaker.forward(
          context(),
          Envelope.read(record.value()),
          record.value(),
          record.timestamp(),
          record.headers());
    } else {
      breaker.counters().filtered(0);
    }
  }
}

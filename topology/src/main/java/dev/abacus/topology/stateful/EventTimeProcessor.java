package dev.abacus.topology.stateful;

import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Behind an internal topic: takes documents, and hears how far event time has come.
 *
 * @param <S> what is kept in the store beside the watermarks
 */
abstract class EventTimeProcessor<S> extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private final BreakerContext breaker;
  private @Nullable S state;
  private @Nullable Watermarks watermarks;

  EventTimeProcessor(BreakerContext breaker) {
    this.breaker = breaker;
  }

  /** What this processor keeps in its store. */
  abstract S stateIn(KeyValueStore<Bytes, byte[]> store);

  /** A document came. */
  abstract void take(Record<byte[], byte[]> record, InternalKey key);

  /** Event time has come so far: nothing before it is awaited any more. */
  abstract void reached(long time);

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(breaker.store());
    state = stateIn(store);
    watermarks = new Watermarks(store, breaker.partitions());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    InternalKey key = InternalKey.read(record.key());
    if (!key.watermark()) {
      take(record, key);
    } else if (watermarks().hear(key.side(), Watermarks.read(record))) {
      reached(time());
    }
  }

  final BreakerContext breaker() {
    return breaker;
  }

  final S state() {
    return Objects.requireNonNull(state, "used before init");
  }

  /** How far event time has come, in milliseconds. */
  final long time() {
    return watermarks().current();
  }

  private Watermarks watermarks() {
    return Objects.requireNonNull(watermarks, "used before init");
  }
}

package dev.abacus.topology.stateful.time;

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
public abstract class EventTimeProcessor<S>
    extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private final StatefulContext operatorContext;
  private @Nullable S state;
  private @Nullable WatermarkTracker watermarks;

  public EventTimeProcessor(StatefulContext operatorContext) {
    this.operatorContext = operatorContext;
  }

  /** What this processor keeps in its store. */
  public abstract S stateIn(KeyValueStore<Bytes, byte[]> store);

  /** A document came. */
  public abstract void take(Record<byte[], byte[]> record, RepartitionKey key);

  /** Event time has come so far: nothing before it is awaited any more. */
  public abstract void reached(long time);

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(operatorContext.store());
    state = stateIn(store);
    watermarks = new WatermarkTracker(store, operatorContext.partitions());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RepartitionKey key = RepartitionKey.read(record.key());
    if (!key.watermark()) {
      take(record, key);
    } else if (watermarks().hear(key.side(), WatermarkTracker.read(record))) {
      reached(time());
    }
  }

  public final StatefulContext operatorContext() {
    return operatorContext;
  }

  public final S state() {
    return Objects.requireNonNull(state, "used before init");
  }

  /** How far event time has come, in milliseconds. */
  public final long time() {
    return watermarks().current();
  }

  private WatermarkTracker watermarks() {
    return Objects.requireNonNull(watermarks, "used before init");
  }
}

package dev.abacus.topology.stateful.limit;

import dev.abacus.schemas.program.Limit;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.stateful.time.EventTime;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Applies a limit to each partition, in front of the repartition topic. A partition cannot
 * contribute more documents than the limit, so the others need not be repartitioned.
 */
public final class LocalLimitProcessor extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private static final String COUNTS = "local-counts";

  private final Limit limit;
  private final StatefulContext operator;
  private @Nullable LimitCounter counter;
  private long eventTime = EventTime.NONE;

  public LocalLimitProcessor(Limit limit, StatefulContext operator) {
    this.limit = limit;
    this.operator = operator;
  }

  /** The store of the counts. */
  public static Set<StoreBuilder<?>> stores(StatefulContext operator) {
    return Set.of(operator.storeBuilder(COUNTS, Serdes.Long(), Serdes.Long()));
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    counter = new LimitCounter(limit, context.getStateStore(operator.store(COUNTS)));
    eventTime = EventTime.NONE;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    LimitCounter counts = Objects.requireNonNull(counter, "process before init");
    if (Watermark.is(record.value(), record.headers())) {
      eventTime = Math.max(eventTime, Watermark.read(record.headers()).time());
      counts.expire(eventTime);
      context().forward(record);
      return;
    }
    operator.services().countFlow(limit.id(), 1, 0);
    if (record.value() == null || counts.admit(record.timestamp(), eventTime)) {
      context().forward(record);
    } else {
      operator.services().countDropped(Envelope.read(record.value()));
    }
  }
}

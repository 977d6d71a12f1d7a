package dev.abacus.topology.stateful.limit;

import dev.abacus.schemas.program.Limit;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.stateful.time.EventTimeProcessor;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.RepartitionKey.DocumentKey;
import dev.abacus.topology.stateful.time.Slice;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the first documents and drops the others, first come first served. Its repartition topic
 * has one partition, so the limit is exact over all documents.
 */
public final class LimitProcessor extends EventTimeProcessor {

  private static final String COUNTS = "counts";

  private final Limit limit;
  private @Nullable LimitCounter counter;

  public LimitProcessor(Limit limit, StatefulContext operator) {
    super(operator);
    this.limit = limit;
  }

  /** The stores of a limit. */
  public static Set<StoreBuilder<?>> stores(StatefulContext operator) {
    return Set.of(
        watermarkStore(operator), operator.storeBuilder(COUNTS, Serdes.Long(), Serdes.Long()));
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    counter = new LimitCounter(limit, context.getStateStore(operator().store(COUNTS)));
  }

  @Override
  protected void onDocument(DocumentKey key, Record<RepartitionKey, Envelope> document) {
    if (counter().admit(document.timestamp(), eventTime())) {
      services().countFlow(limit.id(), 0, 1);
      forward(document.value(), document.timestamp(), document.headers());
    } else {
      services().countDropped(document.value());
    }
  }

  @Override
  protected boolean advance(long time, Slice slice) {
    counter().expire(time);
    return true;
  }

  @Override
  protected long outputWatermark(long time) {
    return time;
  }

  private LimitCounter counter() {
    return Objects.requireNonNull(counter, "used before init");
  }
}

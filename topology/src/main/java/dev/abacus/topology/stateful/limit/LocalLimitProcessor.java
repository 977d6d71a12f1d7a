package dev.abacus.topology.stateful.limit;

import dev.abacus.schemas.program.Limit;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.stateful.time.EventTime;
import dev.abacus.topology.stateful.time.OperatorStore;
import dev.abacus.topology.stateful.time.StatefulContext;
import dev.abacus.topology.stateful.time.StatefulServices;
import java.util.List;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Applies a limit to each partition, in front of the repartition topic. A partition cannot
 * contribute more documents than the limit, so the others need not be repartitioned.
 */
public final class LocalLimitProcessor implements Processor<byte[], byte[], byte[], byte[]> {

  private static final OperatorStore<Long, Long> COUNTS =
      new OperatorStore<>("local-counts", Serdes.Long(), Serdes.Long());

  /** The store of the counts. */
  public static final List<OperatorStore<?, ?>> STORES = List.of(COUNTS);

  private final StatefulServices services;
  private final ProcessorContext<byte[], byte[]> context;
  private final LimitCounter counts;
  private long eventTime = EventTime.NONE;

  public LocalLimitProcessor(
      Limit limit, StatefulContext operator, ProcessorContext<byte[], byte[]> context) {
    this.services = operator.services();
    this.context = context;
    this.counts = new LimitCounter(limit, COUNTS.open(operator, context));
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (Watermark.is(record.value(), record.headers())) {
      eventTime = Math.max(eventTime, Watermark.read(record.headers()).time());
      counts.expire(eventTime);
      context.forward(record);
      return;
    }
    services.countFlow(counts.limit().id(), 1, 0);
    if (record.value() == null || counts.admit(record.timestamp(), eventTime)) {
      context.forward(record);
    } else {
      services.countDropped(Envelope.read(record.value()));
    }
  }
}

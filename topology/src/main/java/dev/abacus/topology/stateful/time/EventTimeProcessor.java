package dev.abacus.topology.stateful.time;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.runtime.OutputRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Base of the stateful operators. It reads the operator's repartition topic, tracks event time, and
 * forwards envelopes, watermarks and dead letters.
 *
 * <p>An operator's stores, the offsets of its repartition topic and its outputs commit in one
 * transaction of Kafka Streams, so the operator is exactly-once. A watermark is forwarded in the
 * same transaction as everything that it closes.
 */
public abstract class EventTimeProcessor
    extends ContextualProcessor<RepartitionKey, Envelope, byte[], byte[]> {

  private static final String WATERMARKS = "watermarks";

  private static final Duration SOON = Duration.ofMillis(100);

  private final StatefulContext operator;
  private @Nullable Cancellable repeated;
  private @Nullable WatermarkTracker watermarks;

  protected EventTimeProcessor(StatefulContext operator) {
    this.operator = operator;
  }

  /** The store of an operator's watermarks. */
  protected static StoreBuilder<?> watermarkStore(StatefulContext operator) {
    return operator.storeBuilder(
        WATERMARKS, WatermarkTracker.Channel.SERDE, WatermarkTracker.ChannelState.SERDE);
  }

  /** Takes a document. */
  protected abstract void onDocument(
      RepartitionKey.DocumentKey key, Record<RepartitionKey, Envelope> document);

  /** Takes the new event time, whenever it increases, and forwards the operator's watermark. */
  protected abstract void onEventTime(long time);

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    watermarks =
        WatermarkTracker.restore(
            context.getStateStore(operator.store(WATERMARKS)), operator.channels());
    if (EventTime.isEnd(eventTime())) {
      // The last stage may have been closed after its last commit, before it reported its end.
      repeated = context.schedule(SOON, PunctuationType.WALL_CLOCK_TIME, _ -> repeatEnd());
    }
  }

  private void repeatEnd() {
    if (repeated != null) {
      repeated.cancel();
      repeated = null;
      onEventTime(eventTime());
    }
  }

  @Override
  public void process(Record<RepartitionKey, Envelope> record) {
    switch (record.key()) {
      case RepartitionKey.DocumentKey key -> onDocument(key, record);
      case RepartitionKey.WatermarkKey(int side) -> {
        if (tracker().update(side, Watermark.read(record.headers()))) {
          onEventTime(eventTime());
        }
      }
    }
  }

  /** The event time in milliseconds since 1970; {@link EventTime#NONE} at the beginning. */
  protected final long eventTime() {
    return tracker().current();
  }

  protected final StatefulContext operator() {
    return operator;
  }

  protected final StatefulServices services() {
    return operator.services();
  }

  /** Forwards an envelope to all children. */
  protected final void forward(Envelope envelope, long timestamp, Iterable<Header> headers) {
    Record<byte[], byte[]> record = new Record<>(envelope.key(), envelope.toBytes(), timestamp);
    headers.forEach(record.headers()::add);
    forwardToChildren(record);
  }

  /** Forwards the watermark of this task. */
  protected final void forwardWatermark(long time) {
    Watermark watermark = new Watermark(context().taskId().partition(), time, false);
    forwardToChildren(watermark.toRecord(context().currentSystemTimeMs()));
  }

  private void forwardToChildren(Record<byte[], byte[]> record) {
    // Each child gets headers of its own, since a child may change them.
    for (String child : operator.children()) {
      context().forward(record.withHeaders(record.headers()), child);
    }
  }

  /**
   * Writes a document to the dead letter topic.
   *
   * @param cause what dead letter tools show as the exception, such as {@code LateDocument}
   */
  protected final void deadLetter(
      Envelope envelope, long timestamp, Iterable<Header> headers, String cause, String message) {
    services().countDeadLetter();
    List<Header> list = new ArrayList<>();
    headers.forEach(list::add);
    OutputRecord output =
        DeadLetter.of(envelope.origin(list, timestamp), cause, message)
            .with(Headers.OPERATOR, operator.operator())
            .with(Headers.PROGRAM, services().program())
            .to(operator.deadLetters(), services().recordLimit());
    context().forward(output.toRecord(), output.child());
  }

  private WatermarkTracker tracker() {
    return Objects.requireNonNull(watermarks, "used before init");
  }
}

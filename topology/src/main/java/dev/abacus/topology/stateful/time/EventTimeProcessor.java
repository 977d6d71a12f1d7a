package dev.abacus.topology.stateful.time;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.runtime.OutputRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Base of the stateful operators. It reads the operator's repartition topic, tracks event time, and
 * forwards envelopes, watermarks and dead letters.
 *
 * <p>An operator's stores, the offsets of its repartition topic and its outputs commit in one
 * transaction of Kafka Streams, so the operator is exactly-once. One watermark may close more than
 * a transaction can hold, so the work is done in {@link Slice slices}; the stores hold what is left
 * of it, also after a crash. The watermark is forwarded behind everything that it closes.
 */
public abstract class EventTimeProcessor
    implements Processor<RepartitionKey, Envelope, byte[], byte[]> {

  /** The store of an operator's watermarks. */
  protected static final OperatorStore<WatermarkTracker.Channel, WatermarkTracker.ChannelState>
      WATERMARKS =
          new OperatorStore<>(
              "watermarks", WatermarkTracker.Channel.SERDE, WatermarkTracker.ChannelState.SERDE);

  /** The stream thread comes back when it has polled and served its other tasks. */
  private static final Duration NEXT_ROUND = Duration.ofMillis(1);

  private final StatefulContext operator;
  private final ProcessorContext<byte[], byte[]> context;
  private final WatermarkTracker watermarks;
  private @Nullable Cancellable nextSlice;
  private boolean unfinished;

  /** The event time that the operator comes to, and the one whose watermark it has forwarded. */
  private long closing = EventTime.NONE;

  private long closed = EventTime.NONE;

  /**
   * A processor of an opened task.
   *
   * @param context of the task, with its stores
   */
  protected EventTimeProcessor(StatefulContext operator, ProcessorContext<byte[], byte[]> context) {
    this.operator = operator;
    this.context = context;
    this.watermarks =
        WatermarkTracker.restore(WATERMARKS.open(operator, context), operator.channels());
  }

  /** Takes a document. */
  protected abstract void onDocument(
      RepartitionKey.DocumentKey key, Record<RepartitionKey, Envelope> document);

  /**
   * Does the work that is left up to an event time, and forwards its results. What it has done must
   * be in the stores, because another slice, perhaps after a restart, does the rest.
   *
   * @param time {@link EventTime#NONE} before the first watermark
   * @return whether nothing is left; if not, the slice is over
   */
  protected abstract boolean advance(long time, Slice slice);

  /** The watermark of the outputs at an event time of the inputs. */
  protected abstract long outputWatermark(long time);

  @Override
  public void init(ProcessorContext<byte[], byte[]> opened) {
    goOn(); // with what an earlier owner left, and with a watermark that it may not have forwarded
  }

  @Override
  public void process(Record<RepartitionKey, Envelope> record) {
    switch (record.key()) {
      case RepartitionKey.DocumentKey key -> onDocument(key, record);
      case RepartitionKey.WatermarkKey(int side) -> {
        if (watermarks.update(side, Watermark.read(record.headers())) && !unfinished) {
          work();
        }
      }
    }
  }

  private void work() {
    Slice slice = slice();
    do {
      closing = closing == closed ? eventTime() : closing;
      if (!advance(closing, slice)) {
        goOn();
        unfinished = true;
        return;
      }
      if (closing > closed) {
        closed = closing;
        forwardWatermark(outputWatermark(closed));
      }
    } while (eventTime() > closed);
    unfinished = false;
    cancelSlices();
  }

  /** A slice that begins now. */
  protected final Slice slice() {
    return new Slice(services().clock());
  }

  /** Lets {@link #advance} be called in the next round of the stream thread. */
  protected final void goOn() {
    if (nextSlice == null) {
      nextSlice = context.schedule(NEXT_ROUND, PunctuationType.WALL_CLOCK_TIME, _ -> work());
    }
  }

  /** The event time in milliseconds since 1970; {@link EventTime#NONE} at the beginning. */
  protected final long eventTime() {
    return watermarks.current();
  }

  protected final ProcessorContext<byte[], byte[]> context() {
    return context;
  }

  protected final StatefulServices services() {
    return operator.services();
  }

  /** Forwards an envelope to all children. The caller has measured it. */
  protected final void forward(Envelope envelope, long timestamp, Iterable<Header> headers) {
    forward(envelope.key(), envelope.toBytes(), timestamp, headers);
  }

  /** Forwards an envelope in bytes to all children; null in place of one that failed. */
  @SuppressWarnings("NullAway") // Kafka's Record is not annotated
  protected final void forward(
      byte @Nullable [] key, byte @Nullable [] envelope, long timestamp, Iterable<Header> headers) {
    Record<byte[], byte[]> record = new Record<>(key, envelope, timestamp);
    headers.forEach(record.headers()::add);
    forwardToChildren(record);
  }

  /** Forwards the watermark of this task. */
  private void forwardWatermark(long time) {
    Watermark watermark = new Watermark(context.taskId().partition(), time, false);
    forwardToChildren(watermark.toRecord(context.currentSystemTimeMs()));
  }

  private void forwardToChildren(Record<byte[], byte[]> record) {
    // Each child gets headers of its own, since a child may change them.
    for (String child : operator.children()) {
      context.forward(record.withHeaders(record.headers()), child);
    }
  }

  /** Writes a document whose windows are closed to the dead letter topic. */
  protected final void deadLetterOfLate(Record<RepartitionKey, Envelope> document) {
    deadLetter(
        document,
        "LateDocument",
        "its timestamp is %d, but the windows of '%s' are closed up to %d"
            .formatted(document.timestamp(), operator.operator(), eventTime()));
  }

  /** Writes a document to the dead letter topic. */
  protected final void deadLetter(
      Record<RepartitionKey, Envelope> document, String cause, String message) {
    deadLetter(document.value(), document.timestamp(), document.headers(), cause, message);
  }

  /**
   * Writes what a document or group has become to the dead letter topic.
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
            .to(operator.deadLetters(), services().sizes().largestOutput());
    context.forward(output.toRecord(), output.child());
  }

  @Override
  public void close() {
    cancelSlices();
  }

  private void cancelSlices() {
    if (nextSlice != null) {
      nextSlice.cancel();
      nextSlice = null;
    }
  }
}

package dev.abacus.topology.stateful.time;

import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Watermark;
import java.time.Duration;
import java.util.function.IntPredicate;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Emits the watermarks of a source, for each of its partitions:
 *
 * <ul>
 *   <li>every {@link #INTERVAL} the largest timestamp so far, if it changed; at most the current
 *       time, so that a producer whose clock is fast does not make the documents of others late;
 *   <li>at once the time that a user sends in the header {@link
 *       dev.abacus.schemas.kafka.Headers#WATERMARK};
 *   <li>after {@link #IDLE_AFTER} intervals without records, that the partition is idle.
 * </ul>
 *
 * <p>A partition that has records that the program does not read now is not idle: Kafka Streams
 * does not punctuate a paused program, and the partitions of full tasks are held.
 */
public final class WatermarkGenerator extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  /** Time between two watermarks. */
  public static final Duration INTERVAL = Duration.ofMillis(500);

  /** Intervals without a record after which a partition is idle. */
  public static final int IDLE_AFTER = 120;

  private final IntPredicate isHeld;

  /** Largest timestamp of a document. */
  private long newest;

  /** Largest time that a user stated. */
  private long stated;

  private long emitted = EventTime.NONE;
  private boolean emittedIdle;
  private int quietIntervals;
  private @Nullable Cancellable intervals;

  /**
   * @param isHeld whether the task of a partition takes no records now
   */
  public WatermarkGenerator(IntPredicate isHeld) {
    this.isHeld = isHeld;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    intervals = context.schedule(INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> punctuate());
  }

  @Override
  public void close() {
    if (intervals != null) {
      intervals.cancel();
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    quietIntervals = 0;
    if (!Watermark.is(record.value(), record.headers())) {
      PairHeaders.removeFrom(record.headers());
      newest = Math.max(newest, record.timestamp());
      context().forward(record);
      return;
    }
    Long time = Watermark.time(record.headers());
    if (time == null) {
      context().forward(record); // the segment writes it to the dead letter topic
    } else {
      stated = Math.max(stated, time);
      emit(false);
    }
  }

  private void punctuate() {
    quietIntervals = isHeld.test(context().taskId().partition()) ? 0 : quietIntervals + 1;
    boolean idle = quietIntervals > IDLE_AFTER;
    if (time() > emitted || idle != emittedIdle) {
      emit(idle);
    }
  }

  private long time() {
    return Math.max(stated, Math.min(newest, context().currentSystemTimeMs()));
  }

  private void emit(boolean idle) {
    emitted = time();
    emittedIdle = idle;
    context()
        .forward(
            new Watermark(context().taskId().partition(), emitted, idle)
                .toRecord(context().currentSystemTimeMs()));
  }
}

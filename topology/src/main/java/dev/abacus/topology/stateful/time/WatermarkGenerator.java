package dev.abacus.topology.stateful.time;

import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Watermark;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Stands before the first segment and makes the watermarks of a source: every now and then the
 * largest timestamp so far, which is Kafka Streams' stream time; at once what a user's own {@link
 * dev.abacus.schemas.kafka.Headers#WATERMARK} says; and after a time without records that the
 * partition is idle, so that the others are not held up by it.
 */
public final class WatermarkGenerator extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  /** How often time is told. */
  public static final Duration INTERVAL = Duration.ofMillis(500);

  /** Intervals without a record after which a partition is idle; a paused program counts none. */
  public static final int IDLE_AFTER = 120;

  private long time;
  private long told = -1;
  private boolean toldIdle;
  private int quiet;

  @Override
  public void init(
      org.apache.kafka.streams.processor.api.ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    time = 0;
    told = -1;
    toldIdle = false;
    quiet = 0;
    context.schedule(INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> tick());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    quiet = 0;
    if (Watermark.is(record.value(), record.headers())) {
      Long stated = Watermark.time(record.headers());
      if (stated == null) {
        context().forward(record); // it becomes a dead letter
      } else {
        time = Math.max(time, stated);
        tell(false);
      }
      return;
    }
    PairHeaders.removeFrom(record.headers());
    time = Math.max(time, record.timestamp());
    context().forward(record);
  }

  private void tick() {
    quiet++;
    boolean idle = quiet > IDLE_AFTER;
    if (time > told || idle != toldIdle) {
      tell(idle);
    }
  }

  private void tell(boolean idle) {
    told = time;
    toldIdle = idle;
    WatermarkTracker.forward(context(), new Watermark(context().taskId().partition(), time, idle));
  }
}

package dev.abacus.topology.live;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.stateful.time.EventTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Admits the documents of a {@link SourceRange}. In a version that has an end, it drops the
 * documents behind it and emits the watermark {@link EventTime#END}, which closes all windows and
 * follows every document to the last stage. Tasks of one source partition are created anew whenever
 * a member joins the group, so no document is admitted by a version that does not know its end.
 */
final class SourceGate extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private static final Duration SOON = Duration.ofMillis(100);

  private final SourceRange range;
  private SourceRange.Extent extent = SourceRange.Extent.HELD;
  private @Nullable Cancellable end;

  SourceGate(SourceRange range) {
    this.range = range;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    extent = range.read();
    if (extent.ends() != null) {
      end = context.schedule(SOON, PunctuationType.WALL_CLOCK_TIME, _ -> emitEnd());
    }
  }

  private void emitEnd() {
    if (end != null) {
      end.cancel();
      end = null;
      long now = context().currentSystemTimeMs();
      context()
          .forward(
              new Watermark(context().taskId().partition(), EventTime.END, false).toRecord(now));
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (extent.held()) {
      throw new IllegalStateException("a version that is being stopped must not read its sources");
    }
    Map<TopicPartition, Long> limits = extent.ends();
    if (limits != null && !isBeforeEnd(limits)) {
      return;
    }
    Long stated =
        Watermark.is(record.value(), record.headers()) ? Watermark.time(record.headers()) : null;
    if (stated != null && stated > EventTime.LATEST) {
      byte[] latest = Long.toString(EventTime.LATEST).getBytes(StandardCharsets.UTF_8);
      record.headers().remove(Headers.WATERMARK).add(Headers.WATERMARK, latest);
    }
    context().forward(record);
  }

  private boolean isBeforeEnd(Map<TopicPartition, Long> limits) {
    return context()
        .recordMetadata()
        .map(source ->
            source.offset()
                < limits.getOrDefault(new TopicPartition(source.topic(), source.partition()), 0L))
        .orElse(false);
  }
}

package dev.abacus.topology.live;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.program.DocumentTime;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.stateful.time.EventTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the documents of a {@link SourceRange}, and gives them the event time that they state. A
 * document without a valid time becomes a dead letter here if its time is required, since behind
 * here it would move the time of the others.
 *
 * <p>In a version that has an end, it drops the documents behind it and emits the watermark {@link
 * EventTime#END}, which closes all windows and follows every document to the last stage. Tasks of
 * one source partition are created anew whenever a member joins the group, so no document is
 * admitted by a version that does not know its end.
 */
final class SourceGate extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private static final Logger LOG = LoggerFactory.getLogger(SourceGate.class);
  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final SourceRange range;
  private final @Nullable DocumentTime time;
  private final SourceLetters letters;
  private SourceRange.Extent extent = SourceRange.Extent.HELD;
  private @Nullable Cancellable end;
  private TopicPartition partition;
  private @Nullable ReadOffsets offsets;
  private @Nullable Cancellable looks;

  /**
   * A gate.
   *
   * @param time where documents state their event time; null if that is the time of their records
   */
  SourceGate(String topic, SourceRange range, @Nullable DocumentTime time, SourceLetters letters) {
    this.partition = new TopicPartition(topic, 0);
    this.range = range;
    this.time = time;
    this.letters = letters;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    extent = range.read();
    partition = new TopicPartition(partition.topic(), context.taskId().partition());
    offsets = new ReadOffsets(partition, range::offsets);
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
              new Watermark(context().taskId().partition(), EventTime.END, false).toRecord(now),
              letters.node());
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (extent.held()) {
      throw new IllegalStateException("a version that is being stopped must not read its sources");
    }
    long offset = context().recordMetadata().orElseThrow().offset();
    Map<TopicPartition, Long> limits = extent.ends();
    long limit = limits == null ? Long.MAX_VALUE : limits.getOrDefault(partition, 0L);
    tellDeleted(Math.min(offset, limit)); // What follows is told by the version that reads it.
    if (offset >= limit) {
      return;
    }
    Long stated =
        Watermark.is(record.value(), record.headers()) ? Watermark.time(record.headers()) : null;
    if (stated != null && stated > EventTime.LATEST) {
      byte[] latest = Long.toString(EventTime.LATEST).getBytes(StandardCharsets.UTF_8);
      record.headers().remove(Headers.WATERMARK).add(Headers.WATERMARK, latest);
    }
    forward(record);
  }

  /** Documents without a valid time that is required become dead letters. */
  private void forward(Record<byte[], byte[]> record) {
    try {
      Record<byte[], byte[]> timed =
          time == null ? record : record.withTimestamp(timeOf(record, time));
      context().forward(timed, letters.node());
    } catch (InvalidDocumentException e) {
      InputRecord input = InputRecord.of(record, context().recordMetadata().orElse(null));
      letters.write(context(), input, "InvalidDocument", String.valueOf(e.getMessage()));
    }
  }

  /** Tombstones and watermarks keep their timestamps. */
  private static long timeOf(Record<byte[], byte[]> record, DocumentTime time)
      throws InvalidDocumentException {
    byte[] value = record.value();
    if (value == null) {
      return record.timestamp();
    }
    Document document;
    try {
      document = Document.parse(value);
    } catch (InvalidDocumentException e) {
      if (time.required()) {
        throw e;
      }
      return record.timestamp(); // the segment writes its dead letter
    }
    return time.of(document, record.timestamp());
  }

  /** Tells of the documents that Kafka has deleted before this offset. */
  private void tellDeleted(long offset) {
    ReadOffsets read = Objects.requireNonNull(offsets);
    if (read.read(offset)) {
      tellDeleted(read);
      if (read.isOpen() && looks == null) {
        looks = context().schedule(LOOK, PunctuationType.WALL_CLOCK_TIME, _ -> tellDeleted(read));
      }
    }
  }

  private void tellDeleted(ReadOffsets read) {
    ReadOffsets.Gap deleted = read.deleted();
    if (deleted != null) {
      String message =
          ("Kafka deleted up to %d documents of %s (offsets %d to %d) before they were read;"
                  + " keep the topic longer than documents wait (retention.ms, retention.bytes)")
              .formatted(deleted.size(), deleted.partition(), deleted.from(), deleted.to() - 1);
      LOG.warn("{}", message);
      InputRecord none =
          new InputRecord(null, null, context().currentSystemTimeMs(), List.of(), "", -1, -1);
      letters.write(context(), none, "DeletedDocuments", message);
    }
    if (looks != null && !read.isOpen()) {
      looks.cancel();
      looks = null;
    }
  }

  @Override
  public void close() {
    if (end != null) {
      end.cancel();
    }
    if (looks != null) {
      looks.cancel();
    }
  }
}

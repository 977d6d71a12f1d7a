package dev.abacus.topology.runtime;

import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Connects an {@link AsyncTask} to Kafka Streams.
 *
 * <p>{@link #close} forwards nothing: the last commit is over, so an output would be lost or
 * duplicated.
 */
final class AsyncProcessor extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  /** Interval at which the stream thread looks for finished work. */
  private static final Duration PUNCTUATION = Duration.ofMillis(5);

  private final AsyncTask task;
  private final Backpressure backpressure;
  private @Nullable Cancellable punctuation;

  AsyncProcessor(
      String storeName, AsyncTask.Setup setup, ProcessorContext<byte[], byte[]> context) {
    this.task =
        AsyncTask.open(
            context.taskId().partition(),
            PendingStore.of(context, storeName),
            output -> context.forward(output.toRecord(), output.child()),
            setup);
    this.backpressure = new Backpressure(setup.services().threads().join(), setup.settings());
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    punctuation = context.schedule(PUNCTUATION, PunctuationType.WALL_CLOCK_TIME, _ -> punctuate());
  }

  private void punctuate() {
    task.drain();
    backpressure.observe(task);
    task.report();
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata source = context().recordMetadata().orElse(null);
    task.admit(InputRecord.of(record, source));
    backpressure.afterAdmission(
        task, source == null ? null : new TopicPartition(source.topic(), source.partition()));
  }

  @Override
  public void close() {
    Objects.requireNonNull(punctuation).cancel();
    backpressure.close();
    task.close();
  }
}

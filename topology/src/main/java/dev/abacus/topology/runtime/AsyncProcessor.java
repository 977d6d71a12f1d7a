package dev.abacus.topology.runtime;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Connects an {@link AsyncTask} to Kafka Streams. Kafka Streams may open a processor again after it
 * closed it, so all state is in the task, which each {@link #init} creates anew.
 *
 * <p>{@link #close} forwards nothing: the last commit is over, so an output would be lost or
 * duplicated.
 */
final class AsyncProcessor implements Processor<byte[], byte[], byte[], byte[]> {

  private final String storeName;
  private final AsyncTask.Setup setup;
  private @Nullable Open open;

  /** What exists from init to close. */
  private record Open(
      ProcessorContext<byte[], byte[]> context,
      AsyncTask task,
      Backpressure backpressure,
      Cancellable punctuation) {

    void punctuate() {
      task.drain();
      backpressure.observe(task);
      task.report();
    }
  }

  AsyncProcessor(String storeName, AsyncTask.Setup setup) {
    this.storeName = storeName;
    this.setup = setup;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    close();
    RuntimeSettings settings = setup.settings();
    AsyncTask task =
        AsyncTask.open(
            context.taskId().partition(),
            PendingStore.of(context, storeName),
            output -> context.forward(output.toRecord(), output.child()),
            setup);
    open =
        new Open(
            context,
            task,
            new Backpressure(
                setup.services().threads().join(), settings, setup.services().listener()),
            context.schedule(
                settings.punctuation(), PunctuationType.WALL_CLOCK_TIME, _ -> punctuate(task)));
  }

  private void punctuate(AsyncTask of) {
    if (open != null && open.task() == of) {
      open.punctuate();
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (open == null) {
      throw new IllegalStateException("process was called before init");
    }
    RecordMetadata source = open.context().recordMetadata().orElse(null);
    open.task().admit(InputRecord.of(record, source));
    open.backpressure()
        .afterAdmission(
            open.task(),
            source == null ? null : new TopicPartition(source.topic(), source.partition()));
  }

  @Override
  public void close() {
    if (open != null) {
      open.punctuation().cancel();
      open.backpressure().close();
      open.task().close();
      open = null;
    }
  }
}

package dev.abacus.topology.runtime;

import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * A processor whose work runs beside the stream thread, and which loses nothing and doubles
 * nothing: a record is in a changelogged store from its admission until its outputs are forwarded,
 * and both happen in the transactions of Kafka Streams. After a crash what is in the store goes on.
 *
 * <p>Nothing is forwarded in {@link #close}: the last commit is over by then, so it would be lost
 * or doubled. Kafka Streams may open a processor again after closing it; all state is in {@link
 * AsyncTask}, which is made anew.
 */
final class AsyncProcessor implements Processor<byte[], byte[], byte[], byte[]> {

  private final String storeName;
  private final Work work;
  private final RuntimeSettings settings;
  private final RuntimeServices services;
  private @Nullable Open open;

  /** What lives from init to close. */
  private record Open(
      ProcessorContext<byte[], byte[]> context,
      AsyncTask task,
      Backpressure backpressure,
      Cancellable punctuation) {

    void tick() {
      task.drain();
      backpressure.observe(task);
      task.report();
    }
  }

  AsyncProcessor(String storeName, Work work, RuntimeSettings settings, RuntimeServices services) {
    this.storeName = storeName;
    this.work = work;
    this.settings = settings;
    this.services = services;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    close();
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(storeName);
    AsyncTask task =
        new AsyncTask(
            context.taskId().partition(),
            new PendingStore(store),
            output -> forward(context, output),
            work,
            settings,
            services);
    open =
        new Open(
            context,
            task,
            new Backpressure(services.threads().join(), settings, services.listener()),
            context.schedule(
                settings.punctuation(), PunctuationType.WALL_CLOCK_TIME, time -> tick(task)));
  }

  private void tick(AsyncTask of) {
    if (open != null && open.task() == of) {
      open.tick();
    }
  }

  private static void forward(ProcessorContext<byte[], byte[]> context, OutputRecord output) {
    RecordHeaders headers = new RecordHeaders();
    output.headers().forEach(headers::add);
    context.forward(
        new Record<>(output.key(), output.value(), output.timestamp(), headers), output.child());
  }

  @Override
  public void process(Record<byte[], byte[]> read) {
    if (open == null) {
      throw new IllegalStateException("a record came for a task that is not open");
    }
    open.task().admit(InputRecord.of(read, open.context().recordMetadata().orElse(null)));
    open.backpressure().afterAdmission(open.task());
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

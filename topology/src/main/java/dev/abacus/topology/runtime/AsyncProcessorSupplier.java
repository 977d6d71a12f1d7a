package dev.abacus.topology.runtime;

import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Supplies asynchronous processors together with their stores: {@code
 * topology.addProcessor("documents", new AsyncProcessorSupplier("pending", work, …), "source")}.
 * Keys and values are byte arrays.
 */
public final class AsyncProcessorSupplier
    implements ProcessorSupplier<byte[], byte[], byte[], byte[]> {

  private final String storeName;
  private final AsyncTask.Setup setup;

  /**
   * Processors with stores of their own.
   *
   * @param storeName name of the pending store, and so of its changelog topic; keep it between
   *     releases
   * @param work shared by all tasks
   */
  public AsyncProcessorSupplier(
      String storeName, Work work, RuntimeSettings settings, RuntimeServices services) {
    this.storeName = storeName;
    this.setup = new AsyncTask.Setup(work, settings, services);
  }

  @Override
  public Processor<byte[], byte[], byte[], byte[]> get() {
    return new AsyncProcessor(storeName, setup);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return PendingStore.builders(
        storeName, setup.services().stores(), setup.settings().recordLimit());
  }
}

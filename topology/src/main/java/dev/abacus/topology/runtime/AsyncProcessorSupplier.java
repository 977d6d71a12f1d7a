package dev.abacus.topology.runtime;

import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Supplies asynchronous processors together with their stores: {@code
 * topology.addProcessor("documents", new AsyncProcessorSupplier("pending", work, …), "source")}.
 * Keys and values are byte arrays.
 */
public final class AsyncProcessorSupplier
    implements ProcessorSupplier<byte[], byte[], byte[], byte[]> {

  private final String storeName;
  private final Function<String, KeyValueBytesStoreSupplier> stores;
  private final AsyncTask.Setup setup;

  /**
   * Processors with stores on disk.
   *
   * @param storeName name of the pending store, and so of its changelog topic; keep it between
   *     releases
   * @param work shared by all tasks
   */
  public AsyncProcessorSupplier(
      String storeName, Work work, RuntimeSettings settings, RuntimeServices services) {
    this(storeName, Stores::persistentKeyValueStore, work, settings, services);
  }

  /**
   * Processors with stores of any kind.
   *
   * @param stores creates a store by name, ordered by key
   */
  public AsyncProcessorSupplier(
      String storeName,
      Function<String, KeyValueBytesStoreSupplier> stores,
      Work work,
      RuntimeSettings settings,
      RuntimeServices services) {
    this.storeName = storeName;
    this.stores = stores;
    this.setup = new AsyncTask.Setup(work, settings, services);
  }

  @Override
  public Processor<byte[], byte[], byte[], byte[]> get() {
    return new AsyncProcessor(storeName, setup);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return PendingStore.builders(storeName, stores, setup.settings().recordLimit());
  }
}

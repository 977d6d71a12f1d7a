package dev.abacus.topology.runtime;

import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Supplies asynchronous processors, with their store connected: {@code
 * topology.addProcessor("documents", new AsyncProcessorSupplier("documents-pending", work, …),
 * "source")}. The serdes around it must be byte arrays.
 */
public final class AsyncProcessorSupplier
    implements ProcessorSupplier<byte[], byte[], byte[], byte[]> {

  private final String storeName;
  private final Work work;
  private final RuntimeSettings settings;
  private final RuntimeServices services;
  private final StoreBuilder<?> store;

  /**
   * Processors over a store on disk.
   *
   * @param storeName name of the store, which names its changelog topic too: keep it
   * @param work what to do; shared by all tasks
   */
  public AsyncProcessorSupplier(
      String storeName, Work work, RuntimeSettings settings, RuntimeServices services) {
    this(Stores.persistentKeyValueStore(storeName), work, settings, services);
  }

  /** Processors over a store of any kind, ordered by key. */
  public AsyncProcessorSupplier(
      KeyValueBytesStoreSupplier store,
      Work work,
      RuntimeSettings settings,
      RuntimeServices services) {
    this.storeName = store.name();
    this.work = work;
    this.settings = settings;
    this.services = services;
    this.store = PendingStore.builder(store, settings.recordLimit());
  }

  @Override
  public Processor<byte[], byte[], byte[], byte[]> get() {
    return new AsyncProcessor(storeName, work, settings, services);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return Set.of(store);
  }
}

package dev.abacus.topology.runtime;

import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Supplies asynchronous processors together with their stores: {@code
 * topology.addProcessor("documents", new AsyncProcessorSupplier("pending", work, …), "source")}.
 * Keys and values are byte arrays.
 *
 * @param storeName name of the pending store, and so of its changelog topic; keep it between
 *     releases
 * @param work shared by all tasks
 */
public record AsyncProcessorSupplier(
    String storeName, Work work, RuntimeSettings settings, RuntimeServices services)
    implements ProcessorSupplier<byte[], byte[], byte[], byte[]> {

  @Override
  public Processor<byte[], byte[], byte[], byte[]> get() {
    AsyncTask.Setup setup = new AsyncTask.Setup(work, settings, services);
    return new FreshProcessor<>(context -> new AsyncProcessor(storeName, setup, context));
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return PendingStore.builders(storeName, services.stores(), settings.recordLimit());
  }
}

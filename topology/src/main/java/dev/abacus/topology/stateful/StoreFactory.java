package dev.abacus.topology.stateful;

import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;

/** Makes the stores of a topology; they must be ordered by key. */
@FunctionalInterface
public interface StoreFactory {

  /** A store of that name. */
  KeyValueBytesStoreSupplier store(String name);
}

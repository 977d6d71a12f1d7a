package dev.abacus.topology.runtime;

import java.util.Map;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;

/**
 * Builds a cached store whose entries are deleted soon after they are put. An entry that is put and
 * deleted between two commits costs neither a write to the store nor a record of its changelog.
 *
 * <p>The cache of Kafka Streams omits such deletions only if it has a listener, as the tables of
 * its DSL have one; it then reads the store before it deletes an entry. There is no public method
 * for it.
 */
record QueueStoreBuilder<V>(StoreBuilder<KeyValueStore<Long, V>> cached)
    implements StoreBuilder<KeyValueStore<Long, V>> {

  @Override
  public KeyValueStore<Long, V> build() {
    KeyValueStore<Long, V> store = cached.build();
    StateStore cache = store instanceof WrappedStateStore<?, ?, ?> outer ? outer.wrapped() : store;
    if (cache instanceof CachedStateStore<?, ?> cachedStore) {
      cachedStore.setFlushListener(_ -> {}, false);
    }
    return store;
  }

  @Override
  public StoreBuilder<KeyValueStore<Long, V>> withCachingEnabled() {
    return new QueueStoreBuilder<>(cached.withCachingEnabled());
  }

  @Override
  public StoreBuilder<KeyValueStore<Long, V>> withCachingDisabled() {
    return new QueueStoreBuilder<>(cached.withCachingDisabled());
  }

  @Override
  public StoreBuilder<KeyValueStore<Long, V>> withLoggingEnabled(Map<String, String> config) {
    return new QueueStoreBuilder<>(cached.withLoggingEnabled(config));
  }

  @Override
  public StoreBuilder<KeyValueStore<Long, V>> withLoggingDisabled() {
    return new QueueStoreBuilder<>(cached.withLoggingDisabled());
  }

  @Override
  public Map<String, String> logConfig() {
    return cached.logConfig();
  }

  @Override
  public boolean loggingEnabled() {
    return cached.loggingEnabled();
  }

  @Override
  public String name() {
    return cached.name();
  }
}

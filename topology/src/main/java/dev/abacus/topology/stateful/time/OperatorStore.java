package dev.abacus.topology.stateful.time;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * A store that each operator of a kind has.
 *
 * @param purpose end of its name, and so of that of its changelog topic; keep it between releases
 */
public record OperatorStore<K, V>(String purpose, Serde<K> keys, Serde<V> values) {

  /**
   * Builds the store of an operator. It is cached, because most entries are updated several times
   * within a commit interval, and changelogged.
   */
  public StoreBuilder<KeyValueStore<K, V>> builder(StatefulContext operator) {
    return Stores.keyValueStoreBuilder(
            operator.services().stores().apply(name(operator)), keys, values)
        .withCachingEnabled();
  }

  /** The store of an operator in a task that Kafka Streams has opened. */
  public KeyValueStore<K, V> open(StatefulContext operator, ProcessorContext<?, ?> task) {
    return task.getStateStore(name(operator));
  }

  /** Reads the first entries of a range, which it closes. */
  public static <K, V> List<KeyValue<K, V>> first(KeyValueIterator<K, V> range, int most) {
    List<KeyValue<K, V>> first = new ArrayList<>();
    try (range) {
      while (range.hasNext() && first.size() < most) {
        first.add(range.next());
      }
    }
    return first;
  }

  /** Deletes without reading the old value, which {@link KeyValueStore#delete} would return. */
  @SuppressWarnings("NullAway") // null deletes; Kafka's stores are not annotated
  public static <K, V> void clear(KeyValueStore<K, V> store, K key) {
    store.put(key, null);
  }

  private String name(StatefulContext operator) {
    return operator.operator() + "-" + purpose;
  }
}

package dev.abacus.topology.stateful.time;

import java.util.List;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * One stateful operator in a topology.
 *
 * @param operator id of the operator; its stores are named {@code operator-purpose}
 * @param channels for each input, the number of tasks that send watermarks
 * @param children nodes that its documents and watermarks go to
 * @param deadLetters sink of its dead letters
 */
public record StatefulContext(
    String operator,
    List<Integer> channels,
    List<String> children,
    String deadLetters,
    StatefulServices services) {

  public StatefulContext {
    channels = List.copyOf(channels);
    children = List.copyOf(children);
  }

  /** Name of the store with a purpose. */
  public String store(String purpose) {
    return operator + "-" + purpose;
  }

  /**
   * Builds a store that is cached, because most entries are updated several times within a commit
   * interval, and changelogged.
   */
  public <K, V> StoreBuilder<KeyValueStore<K, V>> storeBuilder(
      String purpose, Serde<K> keys, Serde<V> values) {
    return Stores.keyValueStoreBuilder(services.stores().apply(store(purpose)), keys, values)
        .withCachingEnabled();
  }
}

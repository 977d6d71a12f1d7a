package dev.abacus.topology.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;

/** The stores of one processor; they keep their content after close. */
final class SurvivingStores implements Function<String, KeyValueBytesStoreSupplier> {
  private final Map<String, SurvivingStore> stores = new HashMap<>();

  @Override
  public KeyValueBytesStoreSupplier apply(String name) {
    return stores.computeIfAbsent(name, SurvivingStore::new);
  }

  /** A copy of the flushed content, by store. */
  Map<String, NavigableMap<Bytes, byte[]>> snapshot() {
    Map<String, NavigableMap<Bytes, byte[]>> snapshot = new HashMap<>();
    stores.forEach((name, store) -> snapshot.put(name, store.snapshot()));
    return snapshot;
  }

  /** Goes back to an earlier state. */
  void revertTo(Map<String, NavigableMap<Bytes, byte[]>> snapshot) {
    stores.forEach((name, store) -> store.revertTo(snapshot.getOrDefault(name, new TreeMap<>())));
  }

  /** Number of entries in all stores. */
  int size() {
    return stores.values().stream().mapToInt(SurvivingStore::size).sum();
  }
}

package dev.abacus.topology.runtime;

import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;

/** Supplies stores whose content outlives them, as a changelog would make it. */
public final class SurvivingStore implements KeyValueBytesStoreSupplier {
  private final String name;
  private NavigableMap<Bytes, byte[]> content = new TreeMap<>();

  public SurvivingStore(String name) {
    this.name = name;
  }

  /** A copy of what was flushed. */
  public NavigableMap<Bytes, byte[]> snapshot() {
    return new TreeMap<>(content);
  }

  /** Goes back to an earlier state. */
  void revertTo(NavigableMap<Bytes, byte[]> snapshot) {
    content = new TreeMap<>(snapshot);
  }

  int size() {
    return content.size();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public KeyValueStore<Bytes, byte[]> get() {
    NavigableMap<Bytes, byte[]> survivors = content;
    return new InMemoryKeyValueStore(name) {
      @Override
      public void init(StateStoreContext context, StateStore root) {
        super.init(context, root);
        survivors.forEach(super::put);
      }

      @Override
      public synchronized void put(Bytes key, byte[] value) {
        super.put(key, value);
        if (value == null) {
          survivors.remove(key);
        } else {
          survivors.put(key, value);
        }
      }
    };
  }

  @Override
  public String metricsScope() {
    return "in-memory";
  }
}

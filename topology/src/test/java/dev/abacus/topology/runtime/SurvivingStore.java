package dev.abacus.topology.runtime;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** Supplies stores that keep their content after close, as a changelog does. */
public final class SurvivingStore implements KeyValueBytesStoreSupplier {
  private final String name;
  private NavigableMap<Bytes, byte[]> content = new TreeMap<>();

  public SurvivingStore(String name) {
    this.name = name;
  }

  /** A copy of the flushed content. */
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
    return new Store(Stores.inMemoryKeyValueStore(name).get(), content);
  }

  @Override
  public String metricsScope() {
    return "in-memory";
  }

  /** An in-memory store that copies each write. */
  private record Store(KeyValueStore<Bytes, byte[]> store, NavigableMap<Bytes, byte[]> survivors)
      implements KeyValueStore<Bytes, byte[]> {

    @Override
    public void init(StateStoreContext context, StateStore root) {
      store.init(context, root);
      survivors.forEach(store::put);
    }

    @Override
    public void put(Bytes key, byte[] value) {
      store.put(key, value);
      if (value == null) {
        survivors.remove(key);
      } else {
        survivors.put(key, value);
      }
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
      byte[] old = store.get(key);
      if (old == null) {
        put(key, value);
      }
      return old;
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
      entries.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte[] delete(Bytes key) {
      survivors.remove(key);
      return store.delete(key);
    }

    @Override
    public byte[] get(Bytes key) {
      return store.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
      return store.range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
      return store.reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
      return store.all();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
      return store.reverseAll();
    }

    @Override
    public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(
        P prefix, S serializer) {
      return store.prefixScan(prefix, serializer);
    }

    @Override
    public long approximateNumEntries() {
      return store.approximateNumEntries();
    }

    @Override
    public String name() {
      return store.name();
    }

    @Override
    public void close() {
      store.close();
    }

    @Override
    public boolean persistent() {
      return store.persistent();
    }

    @Override
    public boolean isOpen() {
      return store.isOpen();
    }

    @Override
    public Position getPosition() {
      return store.getPosition();
    }
  }
}

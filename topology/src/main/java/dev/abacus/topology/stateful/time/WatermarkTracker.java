package dev.abacus.topology.stateful.time;

import dev.abacus.topology.codec.Watermark;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Event time of a stateful operator: the least of all channels that it takes documents from, but
 * for idle ones. It never goes back. Kept in the stateful operator's store, because channels do not
 * repeat themselves after a restart.
 */
public final class WatermarkTracker {

  private static final byte PREFIX = 'w';

  private record Channel(int side, int number) {}

  private record State(long time, boolean idle) {}

  private final KeyValueStore<Bytes, byte[]> store;
  private final Map<Channel, State> channels = new HashMap<>();
  private long current = -1;

  /**
   * Reads what the store has.
   *
   * @param partitions how many channels each input has
   */
  public WatermarkTracker(KeyValueStore<Bytes, byte[]> store, List<Integer> partitions) {
    this.store = store;
    for (int side = 0; side < partitions.size(); side++) {
      for (int number = 0; number < partitions.get(side); number++) {
        channels.put(new Channel(side, number), new State(-1, false));
      }
    }
    Bytes from = Bytes.wrap(new byte[] {PREFIX});
    Bytes to = Bytes.wrap(new byte[] {PREFIX + 1});
    try (KeyValueIterator<Bytes, byte[]> all = store.range(from, to)) {
      while (all.hasNext()) {
        read(all.next());
      }
    }
    advance();
  }

  private void read(KeyValue<Bytes, byte[]> entry) {
    if (entry.key.get().length == 6) {
      ByteBuffer key = ByteBuffer.wrap(entry.key.get());
      key.get();
      ByteBuffer value = ByteBuffer.wrap(entry.value);
      channels.put(
          new Channel(key.get(), key.getInt()), new State(value.getLong(), value.get() == 1));
    } else if (entry.key.get().length == 1) {
      current = ByteBuffer.wrap(entry.value).getLong();
    }
  }

  /** No document before this time is to come, in milliseconds since 1970; -1 before any word. */
  public long current() {
    return current;
  }

  /** Hears from a channel; whether that moves the stateful operator's time on. */
  public boolean hear(int side, Watermark watermark) {
    Channel channel = new Channel(side, watermark.channel());
    long before = channels.getOrDefault(channel, new State(-1, false)).time();
    State state = new State(Math.max(before, watermark.time()), watermark.idle());
    channels.put(channel, state);
    store.put(
        Bytes.wrap(
            ByteBuffer.allocate(6)
                .put(PREFIX)
                .put((byte) side)
                .putInt(watermark.channel())
                .array()),
        ByteBuffer.allocate(9).putLong(state.time()).put((byte) (state.idle() ? 1 : 0)).array());
    boolean moved = advance();
    if (moved) {
      store.put(Bytes.wrap(new byte[] {PREFIX}), ByteBuffer.allocate(8).putLong(current).array());
    }
    return moved;
  }

  private boolean advance() {
    long least =
        channels.values().stream()
            .filter(state -> !state.idle())
            .mapToLong(State::time)
            .min()
            .orElseGet(() -> channels.values().stream().mapToLong(State::time).max().orElse(-1));
    boolean moved = least > current;
    current = Math.max(current, least);
    return moved;
  }

  /** Sends a watermark to all children that documents go to. */
  public static void forward(ProcessorContext<byte[], byte[]> context, Watermark watermark) {
    context.forward(record(watermark));
  }

  /** Sends a watermark to these children. */
  public static void forward(
      ProcessorContext<byte[], byte[]> context, Watermark watermark, List<String> children) {
    children.forEach(child -> context.forward(record(watermark), child));
  }

  @SuppressWarnings("NullAway") // it has neither key nor value, and Kafka's record is not annotated
  private static Record<byte[], byte[]> record(Watermark watermark) {
    RecordHeaders headers = new RecordHeaders();
    watermark.headers().forEach(headers::add);
    return new Record<>(null, null, Math.max(0, watermark.time()), headers);
  }

  /** The watermark in a record, which must be one of ours. */
  public static Watermark read(Record<byte[], byte[]> record) {
    return Objects.requireNonNull(Watermark.of(record.headers()), "not a watermark of ours");
  }

  /** Time minus a span, but not before the beginning of time. */
  public static long minus(long time, long millis) {
    return time < millis ? -1 : time - millis;
  }

  /** Time plus a span, but not after its end. */
  public static long plus(long time, long millis) {
    return time > Long.MAX_VALUE - millis ? Long.MAX_VALUE : time + millis;
  }
}

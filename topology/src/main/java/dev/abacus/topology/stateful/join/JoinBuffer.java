package dev.abacus.topology.stateful.join;

import dev.abacus.topology.codec.Envelope;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The documents of both sides of a stream join that may still find partners, in its store:
 *
 * <pre>
 *   b side group timestamp number → document
 *   x expires side group timestamp number → nothing   (in order of expiry)
 *   f number → nothing                                (left documents that have found a partner)
 *   s → the next number
 * </pre>
 */
public final class JoinBuffer {

  private static final byte BUFFERED = 'b';
  private static final byte EXPIRY = 'x';
  private static final byte FOUND = 'f';
  private static final Bytes NUMBER = Bytes.wrap(new byte[] {'s'});
  private static final byte[] NOTHING = {0};

  private final KeyValueStore<Bytes, byte[]> store;

  JoinBuffer(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** A document of one side. */
  record Entry(int side, long number, long timestamp, Headers headers, Envelope envelope) {}

  /** Keeps a document until event time has passed {@code expires}. */
  Entry add(
      int side, byte[] group, long timestamp, Headers headers, Envelope envelope, long expires) {
    byte[] stored = store.get(NUMBER);
    long number = stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
    store.put(NUMBER, ByteBuffer.allocate(8).putLong(number + 1).array());
    byte[] place = place(side, group, timestamp, number);
    Entry entry = new Entry(side, number, timestamp, headers, envelope);
    store.put(buffered(place), encode(entry));
    store.put(
        Bytes.wrap(
            ByteBuffer.allocate(9 + place.length).put(EXPIRY).putLong(expires).put(place).array()),
        NOTHING);
    return entry;
  }

  /** Documents of a side and group within two timestamps, both included, in order of time. */
  List<Entry> find(int side, byte[] group, long from, long to) {
    List<Entry> found = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(
            buffered(place(side, group, Math.max(0, from), 0)),
            buffered(place(side, group, to, Long.MAX_VALUE)))) {
      while (range.hasNext()) {
        found.add(decode(range.next()));
      }
    }
    return found;
  }

  /** Removes up to so many documents whose time is over, the earliest first. */
  List<Entry> expire(long time, int most) {
    List<KeyValue<Bytes, byte[]>> expired = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(Bytes.wrap(new byte[] {EXPIRY}), Bytes.wrap(new byte[] {EXPIRY + 1}))) {
      while (range.hasNext() && expired.size() < most) {
        KeyValue<Bytes, byte[]> next = range.next();
        if (ByteBuffer.wrap(next.key.get()).getLong(1) >= time) {
          break;
        }
        expired.add(next);
      }
    }
    List<Entry> entries = new ArrayList<>();
    for (KeyValue<Bytes, byte[]> one : expired) {
      byte[] key = one.key.get();
      byte[] place = new byte[key.length - 9];
      System.arraycopy(key, 9, place, 0, place.length);
      byte[] value = store.get(buffered(place));
      if (value != null) {
        entries.add(decode(KeyValue.pair(buffered(place), value)));
      }
      store.put(buffered(place), null);
      store.put(one.key, null);
    }
    return entries;
  }

  /** A left document has found a partner. */
  void markFound(long number) {
    store.put(found(number), NOTHING);
  }

  /** Whether a left document found a partner; it is not asked again. */
  boolean takeFound(long number) {
    boolean found = store.get(found(number)) != null;
    if (found) {
      store.put(found(number), null);
    }
    return found;
  }

  private static Bytes found(long number) {
    return Bytes.wrap(ByteBuffer.allocate(9).put(FOUND).putLong(number).array());
  }

  private static byte[] place(int side, byte[] group, long timestamp, long number) {
    return ByteBuffer.allocate(1 + 4 + group.length + 16)
        .put((byte) side)
        .putInt(group.length)
        .put(group)
        .putLong(timestamp)
        .putLong(number)
        .array();
  }

  private static Bytes buffered(byte[] place) {
    return Bytes.wrap(ByteBuffer.allocate(1 + place.length).put(BUFFERED).put(place).array());
  }

  private static byte[] encode(Entry entry) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream to = new DataOutputStream(bytes)) {
      to.writeByte(1);
      Header[] headers = entry.headers().toArray();
      to.writeInt(headers.length);
      for (Header header : headers) {
        to.writeUTF(header.key());
        byte[] value = header.value();
        to.writeInt(value == null ? -1 : value.length);
        if (value != null) {
          to.write(value);
        }
      }
      to.write(entry.envelope().toBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory only
    }
    return bytes.toByteArray();
  }

  private static Entry decode(KeyValue<Bytes, byte[]> stored) {
    ByteBuffer key = ByteBuffer.wrap(stored.key.get());
    int side = key.get(1);
    long timestamp = key.getLong(key.limit() - 16);
    long number = key.getLong(key.limit() - 8);
    try (DataInputStream from = new DataInputStream(new ByteArrayInputStream(stored.value))) {
      byte version = from.readByte();
      if (version != 1) {
        throw new IllegalStateException("joined document of version " + version);
      }
      RecordHeaders headers = new RecordHeaders();
      for (int left = from.readInt(); left > 0; left--) {
        String name = from.readUTF();
        int length = from.readInt();
        headers.add(name, length < 0 ? null : from.readNBytes(length));
      }
      return new Entry(side, number, timestamp, headers, Envelope.read(from.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException("damaged document in the store", e);
    }
  }
}

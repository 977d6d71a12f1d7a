package dev.abacus.topology.stateful.aggregate;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The groups of an aggregate that are not closed, in its store:
 *
 * <pre>
 *   p group start    → pane
 *   c closes group start → nothing   (in order of closing)
 *   m run number     → member       (where members are needed at the end)
 *   s                → the next run
 * </pre>
 *
 * <p>Members stand by themselves, so that a document costs its own size, not that of its group.
 */
public final class PaneStore {

  private static final byte PANE = 'p';
  private static final byte CLOSING = 'c';
  private static final byte MEMBER = 'm';
  private static final Bytes RUN = Bytes.wrap(new byte[] {'s'});

  private final KeyValueStore<Bytes, byte[]> store;

  PaneStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** A number that no pane has had. */
  long newRun() {
    byte[] stored = store.get(RUN);
    long run = stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
    store.put(RUN, ByteBuffer.allocate(8).putLong(run + 1).array());
    return run;
  }

  @Nullable Pane find(byte[] group, long start) {
    byte[] stored = store.get(pane(group, start));
    return stored == null ? null : Pane.read(stored);
  }

  /** All panes of a group, by their start. */
  List<Pane> of(byte[] group) {
    List<Pane> panes = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all =
        store.range(pane(group, 0), pane(group, Long.MAX_VALUE))) {
      while (all.hasNext()) {
        panes.add(Pane.read(all.next().value));
      }
    }
    return panes;
  }

  void put(byte[] group, Pane pane, long closes) {
    store.put(pane(group, pane.start()), pane.toBytes());
    Bytes closing = closing(group, pane.start(), closes);
    if (store.get(closing) == null) {
      store.put(closing, new byte[] {0});
    }
  }

  /** Removes a pane, but not its members. */
  void remove(byte[] group, Pane pane, long closes) {
    store.put(pane(group, pane.start()), null);
    store.put(closing(group, pane.start(), closes), null);
  }

  /** Keeps a member of a pane that has so many already. */
  void addMember(Pane pane, byte[] member) {
    store.put(member(pane.runs().getLast(), pane.members()), member);
  }

  /** The members of a pane, run by run. */
  void members(Pane pane, Consumer<Document> take) {
    for (long run : pane.runs()) {
      try (KeyValueIterator<Bytes, byte[]> all =
          store.range(member(run, 0), member(run, Long.MAX_VALUE))) {
        while (all.hasNext()) {
          take.accept(parsed(all.next().value));
        }
      }
    }
  }

  private static Document parsed(byte[] member) {
    try {
      return Document.parse(member);
    } catch (InvalidDocumentException e) {
      throw new IllegalStateException("damaged member in the store", e);
    }
  }

  void removeMembers(Pane pane) {
    List<Bytes> keys = new ArrayList<>();
    for (long run : pane.runs()) {
      try (KeyValueIterator<Bytes, byte[]> all =
          store.range(member(run, 0), member(run, Long.MAX_VALUE))) {
        all.forEachRemaining(entry -> keys.add(entry.key));
      }
    }
    keys.forEach(key -> store.put(key, null));
  }

  /** A pane that is due. */
  @SuppressWarnings("ArrayRecordComponent") // identity is meant: two are never compared
  record Due(byte[] group, Pane pane, long closes) {}

  /** The panes that close by a time, up to so many, the earliest first. */
  List<Due> due(long time, int most) {
    List<Due> due = new ArrayList<>();
    Bytes from = Bytes.wrap(new byte[] {CLOSING});
    Bytes to = Bytes.wrap(new byte[] {CLOSING + 1});
    try (KeyValueIterator<Bytes, byte[]> all = store.range(from, to)) {
      while (all.hasNext() && due.size() < most) {
        KeyValue<Bytes, byte[]> next = all.next();
        ByteBuffer key = ByteBuffer.wrap(next.key.get());
        if (key.get() != CLOSING) {
          return due;
        }
        long closes = key.getLong();
        if (closes > time) {
          return due;
        }
        byte[] group = new byte[key.getInt()];
        key.get(group);
        Pane pane = find(group, key.getLong());
        if (pane != null) {
          due.add(new Due(group, pane, closes));
        }
      }
    }
    return due;
  }

  private static Bytes pane(byte[] group, long start) {
    return Bytes.wrap(
        ByteBuffer.allocate(1 + 4 + group.length + 8)
            .put(PANE)
            .putInt(group.length)
            .put(group)
            .putLong(start)
            .array());
  }

  private static Bytes closing(byte[] group, long start, long closes) {
    return Bytes.wrap(
        ByteBuffer.allocate(1 + 8 + 4 + group.length + 8)
            .put(CLOSING)
            .putLong(closes)
            .putInt(group.length)
            .put(group)
            .putLong(start)
            .array());
  }

  private static Bytes member(long run, long number) {
    return Bytes.wrap(
        ByteBuffer.allocate(1 + 8 + 8).put(MEMBER).putLong(run).putLong(number).array());
  }
}

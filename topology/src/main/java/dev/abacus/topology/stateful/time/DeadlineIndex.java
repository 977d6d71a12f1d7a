package dev.abacus.topology.stateful.time;

import dev.abacus.schemas.kafka.BinaryLayout.Deadline;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * An index of a store by the event time at which its entries are due. Closing them takes slices and
 * survives a restart: what is not closed is still in the index.
 */
public final class DeadlineIndex<K> {

  /** Keys that are read at a time. A range of a cached store copies the keys of the cache in it. */
  private static final int BATCH = 1_000;

  private final KeyValueStore<Deadline<K>, Boolean> store;
  private final K smallest;

  /** The last entry that was closed: a range from here does not go over the deleted ones. */
  private Deadline<K> last;

  /**
   * An index in a store.
   *
   * @param smallest no key is before it
   */
  public DeadlineIndex(KeyValueStore<Deadline<K>, Boolean> store, K smallest) {
    this.store = store;
    this.smallest = smallest;
    this.last = new Deadline<>(0, smallest);
  }

  public void add(long time, K key) {
    store.putIfAbsent(new Deadline<>(time, key), true);
  }

  public void remove(long time, K key) {
    OperatorStore.clear(store, new Deadline<>(time, key));
  }

  /**
   * Closes the entries that are due, in the order of their times. No entry that is due may be added
   * later.
   *
   * @param until last time that is due
   * @return whether all are closed; if not known, the slice is over
   */
  public boolean closeDue(long until, Slice slice, Consumer<K> close) {
    List<Deadline<K>> due = due(until);
    while (!due.isEmpty()) {
      for (Deadline<K> next : due) {
        close.accept(next.key());
        remove(next.time(), next.key());
        last = next;
        if (slice.isOver()) {
          return false;
        }
      }
      due = due.size() < BATCH ? List.of() : due(until);
    }
    return true;
  }

  private List<Deadline<K>> due(long until) {
    if (until < 0) {
      return List.of();
    }
    Deadline<K> end = new Deadline<>(EventTime.plus(until, 1), smallest);
    return OperatorStore.first(store.range(last, end), BATCH).stream()
        .map(entry -> entry.key)
        .filter(due -> due.time() <= until)
        .toList();
  }
}

package dev.abacus.topology.stateful.aggregate;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.BinaryLayout;
import dev.abacus.topology.stateful.time.DeadlineIndex;
import dev.abacus.topology.stateful.time.OperatorStore;
import dev.abacus.topology.stateful.time.Slice;
import dev.abacus.topology.stateful.time.StatefulContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The open panes of an aggregate, an index of them by closing time, and their members. */
final class PaneStore {

  private static final BinaryLayout<Document> DOCUMENT =
      new BinaryLayout<>(
          "member",
          (document, to) -> to.write(document.toBytes()),
          from -> Document.parse(from.readAllBytes()));

  static final OperatorStore<PaneKey, Pane> PANES =
      new OperatorStore<>("panes", PaneKey.LAYOUT.serde(), Pane.SERDE);

  static final OperatorStore<BinaryLayout.Deadline<PaneKey>, Boolean> CLOSINGS =
      new OperatorStore<>("closings", PaneKey.LAYOUT.byDeadline().serde(), Serdes.Boolean());

  static final OperatorStore<PaneKey.Member, Document> MEMBERS =
      new OperatorStore<>("members", PaneKey.Member.SERDE, DOCUMENT.serde());

  private final WindowAssigner windows;
  private final KeyValueStore<PaneKey, Pane> panes;
  private final DeadlineIndex<PaneKey> closings;
  private final KeyValueStore<PaneKey.Member, Document> members;
  private long nextRun;

  /** Opens the stores of a task. */
  PaneStore(StatefulContext operator, ProcessorContext<?, ?> task, WindowAssigner windows) {
    this.windows = windows;
    this.panes = PANES.open(operator, task);
    this.closings = new DeadlineIndex<>(CLOSINGS.open(operator, task), PaneKey.SMALLEST);
    this.members = MEMBERS.open(operator, task);
    this.nextRun = firstUnusedRun(members);
  }

  private static long firstUnusedRun(KeyValueStore<PaneKey.Member, Document> members) {
    try (KeyValueIterator<PaneKey.Member, Document> last = members.reverseAll()) {
      return last.hasNext() ? last.peekNextKey().run() + 1 : 0;
    }
  }

  /** A number under which no members are stored. */
  long newRun() {
    return nextRun++;
  }

  @Nullable Pane find(PaneKey key) {
    return panes.get(key);
  }

  /** The panes of a group, in the order of their starts. */
  List<Pane> ofGroup(Bytes group) {
    return OperatorStore.first(
            panes.range(new PaneKey(group, 0), new PaneKey(group, Long.MAX_VALUE)),
            Integer.MAX_VALUE)
        .stream()
        .map(entry -> entry.value)
        .toList();
  }

  void put(Pane pane) {
    PaneKey key = pane.key();
    panes.put(key, pane);
    closings.add(windows.closes(pane.end()), key);
  }

  /** Removes a pane but keeps its members. */
  void remove(Pane pane) {
    PaneKey key = pane.key();
    OperatorStore.clear(panes, key);
    closings.remove(windows.closes(pane.end()), key);
  }

  /**
   * Removes the panes that close up to an event time, in the order of closing.
   *
   * @param emit takes a pane whose members are still stored
   * @return whether no more are left; if not, the slice is over
   */
  boolean closeDue(long eventTime, Slice slice, Consumer<Pane> emit) {
    return closings.closeDue(
        eventTime,
        slice,
        key -> {
          Pane pane = Objects.requireNonNull(panes.get(key), "an index entry without its pane");
          emit.accept(pane);
          OperatorStore.clear(panes, key);
          removeMembers(pane);
        });
  }

  /** Stores a document as the next member of a pane, which the caller then counts. */
  void addMember(Pane pane, Document member) {
    members.put(new PaneKey.Member(pane.runs().getLast(), pane.members()), member);
  }

  /** Passes the members of a pane to a consumer, run by run. */
  void forEachMember(Pane pane, Consumer<Document> consumer) {
    for (long run : pane.runs()) {
      try (KeyValueIterator<PaneKey.Member, Document> all = members(run)) {
        all.forEachRemaining(entry -> consumer.accept(entry.value));
      }
    }
  }

  private void removeMembers(Pane pane) {
    if (pane.bytes() == 0) {
      return;
    }
    List<PaneKey.Member> keys = new ArrayList<>();
    for (long run : pane.runs()) {
      try (KeyValueIterator<PaneKey.Member, Document> all = members(run)) {
        all.forEachRemaining(entry -> keys.add(entry.key));
      }
    }
    keys.forEach(key -> OperatorStore.clear(members, key));
  }

  private KeyValueIterator<PaneKey.Member, Document> members(long run) {
    return members.range(new PaneKey.Member(run, 0), new PaneKey.Member(run, Long.MAX_VALUE));
  }
}

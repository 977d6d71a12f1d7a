package dev.abacus.topology.reference;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.aggregate.GroupKey;
import dev.abacus.topology.operator.join.MatchableItems;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * An index of items by the values of some fields. An item without one of them is in no entry. Safe
 * for use by several threads: whoever changes an item then refreshes its id here, so the last
 * refresh sees the last change.
 */
final class FieldIndex {

  private final List<String> fields;
  private final Function<String, @Nullable Document> items;
  private final Map<String, Bytes> values = new HashMap<>();
  private final Map<Bytes, TreeSet<String>> ids = new HashMap<>();
  private boolean filled;

  /**
   * An empty index.
   *
   * @param items the current item of an id; null if there is none
   */
  FieldIndex(List<String> fields, Function<String, @Nullable Document> items) {
    this.fields = List.copyOf(fields);
    this.items = items;
  }

  /** Notes that the item of an id was added, replaced or removed. */
  synchronized void refresh(String id) {
    Bytes before = values.remove(id);
    if (before != null) {
      ids.computeIfPresent(before, (_, same) -> same.remove(id) && same.isEmpty() ? null : same);
    }
    Document item = items.apply(id);
    ArrayNode now = item == null ? null : GroupKey.of(item, fields);
    if (now != null && !MatchableItems.hasNull(now)) {
      Bytes key = Bytes.wrap(GroupKey.bytes(now));
      values.put(id, key);
      ids.computeIfAbsent(key, _ -> new TreeSet<>()).add(id);
    }
  }

  /**
   * The ids of the items with these values, in order.
   *
   * @param all the ids of all items, with which the first search fills the index
   */
  synchronized List<String> find(ArrayNode wanted, Collection<String> all) {
    if (!filled) {
      all.forEach(this::refresh);
      filled = true;
    }
    return List.copyOf(ids.getOrDefault(Bytes.wrap(GroupKey.bytes(wanted)), new TreeSet<>()));
  }
}

package dev.abacus.topology.reference;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.operator.join.Candidate;
import dev.abacus.topology.operator.join.ReferenceItem;
import dev.abacus.topology.operator.join.ReferenceView;
import dev.abacus.topology.reference.index.Neighbour;
import dev.abacus.topology.reference.index.VectorIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reference in memory: its items, and for each embedder an index of their vectors. One thread
 * writes, the follower of the embedded topic; any number of threads read.
 */
public final class ReferenceCollection implements ReferenceView, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReferenceCollection.class);

  /** An item and the hash of its embedded content. */
  private record Entry(ReferenceItem item, String hash) {}

  /** The vectors of one embedder. */
  private record Space(int dimensions, VectorIndex index) {}

  private final String name;
  private final String keyField;
  private final IntFunction<VectorIndex> indexes;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final Map<String, Space> spaces = new ConcurrentHashMap<>();
  private final Map<String, String> lastFailures = new ConcurrentHashMap<>();
  private final Map<List<String>, FieldIndex> byFields = new ConcurrentHashMap<>();
  private volatile @Nullable List<ReferenceItem> sorted;

  /**
   * An empty collection.
   *
   * @param keyField the field that identifies an item
   * @param indexes creates an empty index for a number of dimensions
   */
  public ReferenceCollection(String name, String keyField, IntFunction<VectorIndex> indexes) {
    this.name = name;
    this.keyField = keyField;
    this.indexes = indexes;
  }

  /** Adds an item or replaces the item of that id. An unusable item removes it. */
  public void put(String id, EmbeddedItem embedded) {
    embedded.failures().forEach(lastFailures::put);
    if (!embedded.isUsable()) {
      remove(id);
      return;
    }
    entries.put(id, new Entry(new ReferenceItem(id, embedded.json()), embedded.hash()));
    changed(id);
    embedded.vectors().forEach((embedder, vector) -> put(id, embedder, vector));
    spaces.forEach((embedder, space) -> {
      if (!embedded.vectors().containsKey(embedder)) {
        space.index().remove(id);
      }
    });
  }

  private void put(String id, String embedder, float[] vector) {
    Space space = spaces.get(embedder);
    if (space == null || (space.dimensions() != vector.length && space.index().size() == 0)) {
      if (space != null) {
        space.index().close();
      }
      space = new Space(vector.length, indexes.apply(vector.length));
      spaces.put(embedder, space);
    }
    if (space.dimensions() == vector.length) {
      space.index().put(id, vector);
    } else {
      space.index().remove(id);
      LOG.warn(
          "Item '{}' of reference '{}' is not indexed for '{}': {} dimensions instead of {}",
          id,
          name,
          embedder,
          vector.length,
          space.dimensions());
    }
  }

  /** Removes the item of that id, if there is one. */
  public void remove(String id) {
    entries.remove(id);
    changed(id);
    spaces.values().forEach(space -> space.index().remove(id));
  }

  private void changed(String id) {
    sorted = null;
    byFields.values().forEach(index -> index.refresh(id));
  }

  /** Makes earlier changes visible to searches; called after each batch of changes. */
  public void flush() {
    spaces.values().forEach(space -> space.index().flush());
  }

  /** Whether the collection has an item of that id. */
  public boolean contains(String id) {
    return entries.containsKey(id);
  }

  /** The vectors of an item by embedder; empty if its content has another hash. */
  public Map<String, float[]> vectors(String id, String hash) {
    Entry entry = entries.get(id);
    Map<String, float[]> vectors = new HashMap<>();
    if (entry != null && entry.hash().equals(hash)) {
      spaces.forEach((embedder, space) -> {
        float[] vector = space.index().find(id);
        if (vector != null) {
          vectors.put(embedder, vector);
        }
      });
    }
    return vectors;
  }

  /** The dimensions of an embedder's vectors; null while there are none. */
  public @Nullable Integer dimensions(String embedder) {
    Space space = spaces.get(embedder);
    return space == null || space.index().size() == 0 ? null : space.dimensions();
  }

  /** The name in the program. */
  public String name() {
    return name;
  }

  @Override
  public String keyField() {
    return keyField;
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public boolean hasVectors(String embedder) {
    return dimensions(embedder) != null;
  }

  @Override
  public @Nullable String obstacle(String embedder, int dimensions) {
    Space space = spaces.get(embedder);
    if (space == null) {
      if (entries.isEmpty()) {
        return null;
      }
      String failure = lastFailures.get(embedder);
      return "reference '%s' has no vectors of '%s'%s"
          .formatted(
              name,
              embedder,
              failure == null ? "; name it in abacus.reference.embedders" : ": " + failure);
    }
    return space.dimensions() == dimensions || space.index().size() == 0
        ? null
        : "reference '%s' has vectors of %d dimensions by '%s', the query has %d"
            .formatted(name, space.dimensions(), embedder, dimensions);
  }

  @Override
  public List<Candidate> nearest(String embedder, Embedding query, int k) {
    Space space = searched(embedder, query);
    return space == null ? List.of() : candidates(space.index().nearest(query.toArray(), k));
  }

  @Override
  public @Nullable ReferenceItem item(String key) {
    Entry entry = entries.get(key);
    return entry == null ? null : entry.item();
  }

  @Override
  public List<Candidate> candidates() {
    return items().stream().map(Candidate::of).toList();
  }

  @Override
  public List<Candidate> equal(List<String> fields, ArrayNode values) {
    return byFields
        .computeIfAbsent(fields, names -> new FieldIndex(names, this::document))
        .find(values, entries.keySet())
        .stream()
        .map(this::item)
        .filter(Objects::nonNull)
        .map(Candidate::of)
        .toList();
  }

  private @Nullable Document document(String id) {
    ReferenceItem item = item(id);
    return item == null ? null : item.document();
  }

  @Override
  public List<Candidate> candidates(String embedder, Embedding query, double least) {
    Space space = searched(embedder, query);
    return space == null ? List.of() : candidates(space.index().atLeast(query.toArray(), least));
  }

  /** The space to search; null if it is empty. */
  private @Nullable Space searched(String embedder, Embedding query) {
    String obstacle = obstacle(embedder, query.dimensions());
    if (obstacle != null) {
      throw new IllegalArgumentException(obstacle);
    }
    Space space = spaces.get(embedder);
    return space == null || space.index().size() == 0 ? null : space;
  }

  /** Leaves out items that were removed during the search. */
  private List<Candidate> candidates(List<Neighbour> neighbours) {
    List<Candidate> found = new ArrayList<>(neighbours.size());
    for (Neighbour neighbour : neighbours) {
      Entry entry = entries.get(neighbour.key());
      if (entry != null) {
        found.add(Candidate.of(entry.item(), neighbour.similarity()));
      }
    }
    return found;
  }

  private List<ReferenceItem> items() {
    List<ReferenceItem> known = sorted;
    if (known == null) {
      known =
          entries.values().stream()
              .map(Entry::item)
              .sorted(Comparator.comparing(ReferenceItem::id))
              .toList();
      sorted = known;
    }
    return known;
  }

  @Override
  public void close() {
    spaces.values().forEach(space -> space.index().close());
  }
}

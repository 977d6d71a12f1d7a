package dev.abacus.topology.model;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The embedders that there are, by name. */
public final class Embedders {

  private final Map<String, Embedder> embedders;

  private Embedders(Map<String, Embedder> embedders) {
    this.embedders = Map.copyOf(embedders);
  }

  /** These and no others. */
  public static Embedders of(Collection<? extends Embedder> embedders) {
    Map<String, Embedder> byName = new LinkedHashMap<>();
    embedders.forEach(embedder -> byName.put(embedder.name(), embedder));
    return new Embedders(byName);
  }

  /** These and no others. */
  public static Embedders of(Embedder... embedders) {
    return of(List.of(embedders));
  }

  /** The embedder of that name, or null. */
  public @Nullable Embedder find(String name) {
    return embedders.get(name);
  }
}

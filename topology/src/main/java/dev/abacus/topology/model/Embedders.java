package dev.abacus.topology.model;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The embedders of a process, by name. */
public final class Embedders {

  private final Map<String, Embedder> embedders;

  private Embedders(Map<String, Embedder> embedders) {
    this.embedders = Map.copyOf(embedders);
  }

  /** A set of embedders. Of two with the same name the later one wins. */
  public static Embedders of(Collection<? extends Embedder> embedders) {
    Map<String, Embedder> byName = new LinkedHashMap<>();
    embedders.forEach(embedder -> byName.put(embedder.name(), embedder));
    return new Embedders(byName);
  }

  /** A set of embedders, as {@link #of(Collection)}. */
  public static Embedders of(Embedder... embedders) {
    return of(List.of(embedders));
  }

  /** The embedder of that name; null if there is none. */
  public @Nullable Embedder find(String name) {
    return embedders.get(name);
  }

  /** The first embedder in the order of names whose name is accepted; null if there is none. */
  public @Nullable Embedder first(Predicate<String> accepted) {
    return embedders.keySet().stream()
        .filter(accepted)
        .sorted()
        .map(embedders::get)
        .findFirst()
        .orElse(null);
  }
}

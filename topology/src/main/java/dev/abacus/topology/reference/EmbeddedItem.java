package dev.abacus.topology.reference;

import java.util.Map;
import java.util.TreeMap;

/**
 * An item of a reference with its vectors, as it stands in the embedded topic.
 *
 * @param hash of what was embedded, so that the vectors are used again while that does not change
 * @param json the item; empty if it cannot be used, for which the failures say why
 * @param vectors by embedder, each of length 1
 * @param failures by embedder, why there is no vector; under {@link #ITEM} what is wrong with the
 *     item itself
 */
@SuppressWarnings("ArrayRecordComponent") // identity is meant: two items are never compared
public record EmbeddedItem(
    String hash, byte[] json, Map<String, float[]> vectors, Map<String, String> failures) {

  /** Stands in the failures for the item itself; no embedder is called so. */
  public static final String ITEM = "item";

  public EmbeddedItem {
    vectors = Map.copyOf(vectors);
    failures = Map.copyOf(new TreeMap<>(failures));
  }

  /** An item that cannot be used: it is known, so nobody waits for it, but found by nobody. */
  public static EmbeddedItem unusable(String reason) {
    return new EmbeddedItem("", new byte[0], Map.of(), Map.of(ITEM, reason));
  }

  /** Whether it can be found. */
  public boolean isUsable() {
    return json.length > 0;
  }
}

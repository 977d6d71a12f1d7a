package dev.abacus.topology.reference;

import java.util.Map;

/**
 * An item of a reference with its vectors: a record of the embedded topic.
 *
 * @param hash hash of the embedded content; vectors are reused while it does not change
 * @param json the item; empty if it is unusable
 * @param vectors unit vectors by embedder
 * @param failures reasons of missing vectors by embedder; under {@link #ITEM} the reason why the
 *     item is unusable
 */
@SuppressWarnings("ArrayRecordComponent") // Items are never compared.
public record EmbeddedItem(
    String hash, byte[] json, Map<String, float[]> vectors, Map<String, String> failures) {

  /** Key of the failure of the item itself; no embedder has this name. */
  public static final String ITEM = "item";

  public EmbeddedItem {
    vectors = Map.copyOf(vectors);
    failures = Map.copyOf(failures);
  }

  /** An item that counts as arrived but that no search finds. */
  public static EmbeddedItem unusable(String reason) {
    return new EmbeddedItem("", new byte[0], Map.of(), Map.of(ITEM, reason));
  }

  /** Whether searches find the item. */
  public boolean isUsable() {
    return json.length > 0;
  }
}

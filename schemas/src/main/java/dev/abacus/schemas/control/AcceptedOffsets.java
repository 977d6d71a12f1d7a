package dev.abacus.schemas.control;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The record of each key of the control topic that is in force. All readers of the topic use this
 * rule, so that all of them have the same value in force, before and after compaction:
 *
 * <ul>
 *   <li>The last accepted record of a key is in force. A tombstone is an accepted record.
 *   <li>A {@link Restoration} is stale, and is ignored, if a record of its key was accepted after
 *       the refused one: a user was faster than the optimizer. The optimizer then restores that
 *       record.
 * </ul>
 *
 * <p>Not thread-safe.
 */
public final class AcceptedOffsets {

  /**
   * The record of a key that is in force.
   *
   * @param original offset at which the value was first written
   * @param offset offset of the record, which may be a restoration
   */
  public record Accepted(long original, long offset) {}

  private final Map<String, Accepted> byKey = new HashMap<>();

  /** Whether a record is a restoration that must be ignored. */
  public boolean isStale(String key, @Nullable Restoration restoration) {
    Accepted accepted = byKey.get(key);
    return restoration != null && accepted != null && accepted.offset() > restoration.refused();
  }

  /** Whether a restoration repeats the value in force. */
  public boolean isKnown(String key, @Nullable Restoration restoration) {
    Accepted accepted = byKey.get(key);
    return restoration != null && accepted != null && accepted.original() == restoration.original();
  }

  /** Notes that a record is in force. */
  public void accept(String key, long offset, @Nullable Restoration restoration) {
    byKey.put(key, new Accepted(restoration == null ? offset : restoration.original(), offset));
  }

  /** Forgets keys that are of no interest any more. */
  public void forget(Predicate<String> keys) {
    byKey.keySet().removeIf(keys);
  }

  /** The record in force; null if no record of the key was accepted. */
  public @Nullable Accepted get(String key) {
    return byKey.get(key);
  }
}

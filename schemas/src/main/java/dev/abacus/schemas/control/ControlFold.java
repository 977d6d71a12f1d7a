package dev.abacus.schemas.control;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Folds the records of the control topic into the values in force, for readers that decide nothing.
 * An invalid record is ignored, as workers and optimizer do: the previous value stays in force.
 *
 * <p>Not thread-safe.
 */
public final class ControlFold {

  private final ControlCodec codec;
  private final Map<ControlKey, ControlRecord> records = new LinkedHashMap<>();
  private final AcceptedOffsets accepted = new AcceptedOffsets();

  /** The last rejection by key. */
  private final Map<String, Rejection> rejections = new LinkedHashMap<>();

  /** By program, the epochs that were active, the active one first. */
  private final Map<String, Deque<Long>> epochs = new LinkedHashMap<>();

  public ControlFold(ControlCodec codec) {
    this.codec = codec;
  }

  /**
   * Applies a record of the topic.
   *
   * @return the value that is now in force and was not before; null for a tombstone, a restoration
   *     and a record that is ignored
   */
  public @Nullable ControlRecord accept(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return null;
    }
    try {
      ControlKey key = ControlKey.parse(new String(record.key(), StandardCharsets.UTF_8));
      Restoration restoration = Restoration.of(record.headers());
      if (accepted.isStale(key.path(), restoration)) {
        return null;
      }
      ControlRecord decoded = codec.decode(key, record.value());
      accepted.accept(key.path(), record.offset(), restoration);
      if (decoded == null) {
        records.remove(key);
        if (key instanceof ControlKey.PlanKey plan) {
          forget(plan.program(), plan.epoch());
        }
        return null;
      }
      records.put(key, decoded);
      if (restoration != null) {
        return null;
      }
      if (decoded instanceof ControlRecord.Activated activated) {
        follow(activated, epochs.computeIfAbsent(key.program(), _ -> new ArrayDeque<>()));
      }
      return decoded;
    } catch (IllegalArgumentException | InvalidControlException e) {
      // Workers and optimizer reject it with a reason on the rejections topic.
      return null;
    }
  }

  /** Nobody returns to a plan that is removed; after a purge its epoch is that of another plan. */
  private void forget(String program, long epoch) {
    epochs.computeIfPresent(
        program,
        (_, active) -> active.removeIf(one -> one == epoch) && active.isEmpty() ? null : active);
  }

  /** Adds an epoch to those that were active; a return to the one before removes the last. */
  private static void follow(ControlRecord.Activated activated, Deque<Long> epochs) {
    if (Long.valueOf(activated.epoch()).equals(epochs.peek())) {
      return;
    }
    Long last = epochs.poll();
    if (last != null && !Long.valueOf(activated.epoch()).equals(epochs.peek())) {
      epochs.push(last);
      epochs.push(activated.epoch());
    } else if (last == null) {
      epochs.push(activated.epoch());
    }
  }

  /** A live view of the values in force. */
  public Map<ControlKey, ControlRecord> records() {
    return Collections.unmodifiableMap(records);
  }

  /** Applies a record of the rejections topic. One that cannot be read is ignored. */
  public void reject(byte @Nullable [] value) {
    try {
      if (value != null) {
        Rejection rejection = Json.read(value, Rejection.class);
        rejections.put(ControlKey.parse(rejection.key()).path(), rejection);
      }
    } catch (MalformedRecordException | IllegalArgumentException e) {
      // A rejection of another topic, or of a newer version.
    }
  }

  /** The values in force; those that the optimizer has rejected are not. */
  public ControlSnapshot snapshot() {
    rejections.values().forEach(this::refuse);
    return new ControlSnapshot(
        records, rejections.values().stream().filter(this::isCurrent).toList(), activeBefore());
  }

  /** Whether no later record of the key was accepted, so that the rejection still matters. */
  boolean isCurrent(Rejection rejection) {
    AcceptedOffsets.Accepted inForce = accepted.get(rejection.key());
    return inForce == null || inForce.original() <= rejection.offset();
  }

  /**
   * Removes a value that the optimizer has rejected. It can be read, but does not fit the program,
   * and without an earlier value there is nothing that the optimizer restores.
   */
  void refuse(Rejection rejection) {
    AcceptedOffsets.Accepted inForce = accepted.get(rejection.key());
    if (inForce != null && inForce.original() == rejection.offset()) {
      records.remove(ControlKey.parse(rejection.key()));
    }
  }

  /** By program, the epoch that was active before the active one; compaction removes it. */
  private Map<String, Long> activeBefore() {
    Map<String, Long> before = new LinkedHashMap<>();
    epochs.forEach((program, active) ->
        active.stream().skip(1).findFirst().ifPresent(epoch -> before.put(program, epoch)));
    return before;
  }
}

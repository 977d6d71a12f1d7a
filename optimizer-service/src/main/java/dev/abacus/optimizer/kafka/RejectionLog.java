package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.control.Rejection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * The rejections that are reported. A session does not repeat those that earlier sessions
 * committed, and a new process does not repeat those on the rejections topic.
 */
final class RejectionLog {

  private final Map<TopicPartition, Long> committed = new HashMap<>();
  private final Map<TopicPartition, Set<Long>> pending = new HashMap<>();
  private final Set<String> onTopic = new HashSet<>();

  /** Starts a session. The rejections that the last one did not commit are new again. */
  void open() {
    pending.clear();
  }

  /** Takes in a record of the rejections topic. */
  void reported(Rejection rejection) {
    onTopic.add(rejection.key() + "@" + rejection.offset());
  }

  /** Whether the rejection is not reported yet; the caller reports it in this transaction. */
  boolean isNew(TopicPartition partition, long offset, String key) {
    return committed.getOrDefault(partition, -1L) < offset
        && pending.computeIfAbsent(partition, _ -> new HashSet<>()).add(offset)
        && !onTopic.remove(key + "@" + offset);
  }

  /** The transaction with the new rejections is committed. */
  void committed() {
    pending.forEach((partition, offsets) ->
        offsets.forEach(offset -> committed.merge(partition, offset, Math::max)));
    pending.clear();
  }
}

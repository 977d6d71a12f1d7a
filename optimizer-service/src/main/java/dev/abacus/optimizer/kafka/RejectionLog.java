package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.control.Rejection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * The rejections that are reported. A session does not repeat those of earlier sessions, and a new
 * process does not repeat those on the rejections topic.
 */
final class RejectionLog {

  private final Map<TopicPartition, Long> last = new HashMap<>();
  private final Set<String> onTopic = new HashSet<>();

  /** Takes in a record of the rejections topic. */
  void reported(Rejection rejection) {
    onTopic.add(rejection.key() + "@" + rejection.offset());
  }

  /** Whether no rejection at this offset or a later one is reported yet; remembers the offset. */
  boolean isNew(TopicPartition partition, long offset, String key) {
    if (last.getOrDefault(partition, -1L) >= offset) {
      return false;
    }
    last.put(partition, offset);
    return !onTopic.remove(key + "@" + offset);
  }
}

package dev.abacus.optimizer.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Offsets up to which rejections are reported, so that the next session does not repeat them. */
final class RejectionLog {

  private final Map<TopicPartition, Long> last = new HashMap<>();

  /** Whether no rejection at this offset or a later one is reported yet; remembers the offset. */
  boolean isNew(TopicPartition partition, long offset) {
    if (last.getOrDefault(partition, -1L) >= offset) {
      return false;
    }
    last.put(partition, offset);
    return true;
  }
}

package dev.abacus.optimizer.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** How far records were refused aloud; a session that reads them again keeps quiet. */
final class RejectionLog {

  private final Map<TopicPartition, Long> last = new HashMap<>();

  /** Whether the record at this offset was not refused before. */
  boolean isNew(TopicPartition partition, long offset) {
    if (last.getOrDefault(partition, -1L) >= offset) {
      return false;
    }
    last.put(partition, offset);
    return true;
  }
}

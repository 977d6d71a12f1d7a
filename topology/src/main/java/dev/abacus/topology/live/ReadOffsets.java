package dev.abacus.topology.live;

import dev.abacus.schemas.monitor.SourceOffsets;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds the documents of a source partition that Kafka deleted before they were read, because they
 * were older than the topic keeps them. A consumer whose position is gone starts at the first
 * record that is left, and says nothing. A gap in the offsets alone does not tell: markers of
 * transactions, aborted and compacted records leave gaps too. In front of a gap that Kafka deleted,
 * nothing is left in the log.
 *
 * <p>The offsets of the log are some seconds old, so a gap is looked at until the next but one. Of
 * several gaps in this time the largest counts.
 */
final class ReadOffsets {

  private static final int LOOKS = 2;

  private final TopicPartition partition;
  private final Supplier<@Nullable SourceOffsets> offsets;

  /** The next offset; null if it is not known. */
  private @Nullable Long next;

  private @Nullable Gap gap;
  private @Nullable SourceOffsets seen;
  private int looks;

  /**
   * Offsets that were not read.
   *
   * @param to exclusive
   */
  record Gap(TopicPartition partition, long from, long to) {
    long size() {
      return to - from;
    }
  }

  /** Begins where the group has committed. */
  ReadOffsets(TopicPartition partition, Supplier<@Nullable SourceOffsets> offsets) {
    this.partition = partition;
    this.offsets = offsets;
    SourceOffsets known = offsets.get();
    next = known == null ? null : known.committed().get(partition);
  }

  /** A record is read. Returns whether {@link #deleted} is to be asked about offsets before it. */
  boolean read(long offset) {
    boolean larger = next != null && offset > next && (gap == null || offset - next > gap.size());
    if (larger) {
      gap = new Gap(partition, Objects.requireNonNull(next), offset);
      seen = null;
      looks = 0;
    }
    next = offset + 1;
    return larger;
  }

  /** Whether {@link #deleted} is to be asked again later. */
  boolean isOpen() {
    return gap != null;
  }

  /** What was deleted before it was read, once; null if nothing was, or it is not known yet. */
  @SuppressWarnings("ReferenceEquality") // Another look may have found the same.
  @Nullable Gap deleted() {
    SourceOffsets now = offsets.get();
    if (gap == null || now == null) {
      return null;
    }
    long to = Math.min(gap.to(), now.first().getOrDefault(partition, 0L));
    if (to > gap.from()) {
      Gap found = new Gap(partition, gap.from(), to);
      gap = null;
      return found;
    }
    if (now != seen) {
      seen = now;
      looks++;
    }
    if (looks > LOOKS) {
      gap = null;
    }
    return null;
  }
}

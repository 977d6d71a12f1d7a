package dev.abacus.topology.live;

import dev.abacus.schemas.monitor.SourceOffsets;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The part of its sources that a version of a program processes; all of them by default. */
public interface SourceRange {

  /** All documents. */
  SourceRange ALL = new SourceRange() {};

  /**
   * How far the version reads.
   *
   * @param ends for each source partition the offset of the first document that belongs to another
   *     version, 0 if not listed; null if the version has no end
   * @param held whether the version must not read now, because its end is being determined
   */
  record Extent(@Nullable Map<TopicPartition, Long> ends, boolean held) {

    /** Without an end. */
    public static final Extent OPEN = new Extent(null, false);

    /** Nothing may be read. */
    public static final Extent HELD = new Extent(null, true);
  }

  /**
   * Reads how far the version reads. Called on a stream thread after a partition was assigned,
   * before its first record; may block for some seconds. If the result is {@link Extent#HELD}, the
   * application is paused.
   */
  default Extent read() {
    return Extent.OPEN;
  }

  /**
   * A task of the last stage has forwarded everything, and its transaction is committed. May be
   * called again after a restart. Called on a stream thread; must not block.
   */
  default void ended(int partition) {}

  /**
   * The offsets of the sources: those of the last {@link #read}, or later ones, some seconds old;
   * null if not known. Must not block.
   */
  default @Nullable SourceOffsets offsets() {
    return null;
  }
}

package dev.abacus.topology.runtime;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Settings.Ordering;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * Settings of an asynchronous processor.
 *
 * @param ordering whether results of one key keep the order of their records
 * @param pendingBound pending records per task above which the processor blocks the stream thread
 *     and keeps further records in the store only; at least 1. To use the whole concurrency limit,
 *     a task needs about twice that number
 * @param slice longest time for which one record blocks the stream thread, 0 to 100 ms; it counts
 *     against the transaction timeout
 * @param recordLimit largest record, in bytes of key, value and headers; a larger one is rejected,
 *     and a larger checkpoint is not stored. See {@link RecordSizes}
 * @param names of topics
 */
@RecordBuilder
public record RuntimeSettings(
    Ordering ordering, int pendingBound, Duration slice, int recordLimit, KafkaNames names)
    implements RuntimeSettingsBuilder.With {

  private static final Duration LONGEST_SLICE = Duration.ofMillis(100);

  public RuntimeSettings {
    if (pendingBound < 1) {
      throw new IllegalArgumentException("pending bound below 1: " + pendingBound);
    }
    if (slice.isNegative() || slice.compareTo(LONGEST_SLICE) > 0) {
      throw new IllegalArgumentException("slice not within 0 and 100 ms: " + slice);
    }
    if (recordLimit < 1 || recordLimit > Integer.MAX_VALUE - 3 * RecordSizes.HEADROOM) {
      throw new IllegalArgumentException("record limit out of range: " + recordLimit);
    }
  }

  /**
   * Order per key, 1,000 pending records per task, slices of 100 ms, records up to 1 MiB, which is
   * the default limit of a broker, names without a prefix.
   */
  public static RuntimeSettings defaults() {
    return new RuntimeSettings(
        Ordering.KEY, 1000, LONGEST_SLICE, 1024 * 1024, KafkaNames.UNPREFIXED);
  }

  /** The sizes that records may have. */
  public RecordSizes sizes() {
    return new RecordSizes(recordLimit);
  }
}

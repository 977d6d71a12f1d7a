package dev.abacus.schemas.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Work of one operator on live documents, on one instance since its start. An aggregate with model
 * calls counts groups, a stream join pairs. Work that a crash repeats counts again.
 *
 * @param operator id in the program
 * @param inputs documents that the operator has finished, whatever the outcome
 * @param outputs documents that it made; 0 for a document that a filter drops
 * @param failures inputs that became dead letters
 * @param costUsd sum of the costs
 * @param seconds sum of the times that the operator took
 * @param running documents in process at the operator now, those that wait for a model included
 * @param batches the latest calls for several documents; null if there was none
 * @param cache what prompt caches took off the latest documents; null if none had a cost
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OperatorCounts(
    String operator,
    long inputs,
    long outputs,
    long failures,
    double costUsd,
    double seconds,
    long running,
    @Nullable BatchCounts batches,
    @Nullable CacheCounts cache) {

  /** Counters without work. */
  public static OperatorCounts none(String operator) {
    return new OperatorCounts(operator, 0, 0, 0, 0, 0, 0, null, null);
  }

  /** Adds the counters of another instance. */
  public OperatorCounts plus(OperatorCounts other) {
    return new OperatorCounts(
        operator,
        inputs + other.inputs,
        outputs + other.outputs,
        failures + other.failures,
        costUsd + other.costUsd,
        seconds + other.seconds,
        running + other.running,
        BatchCounts.sum(batches, other.batches),
        CacheCounts.sum(cache, other.cache));
  }

  /**
   * The increase since an earlier reading of the same counters; what runs and the latest calls are
   * those of now.
   */
  public OperatorCounts minus(OperatorCounts earlier) {
    return new OperatorCounts(
        operator,
        inputs - earlier.inputs,
        outputs - earlier.outputs,
        failures - earlier.failures,
        costUsd - earlier.costUsd,
        seconds - earlier.seconds,
        running,
        batches,
        cache);
  }
}

package dev.abacus.schemas.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one instance for the live documents of one epoch, since the instance started. Sums of
 * squares allow adding instances and computing confidence intervals.
 *
 * <p>Outcomes are not source documents: groups, pairs and the outputs of one-to-many operators
 * before an aggregate have outcomes of their own. {@link #work} counts by source document.
 *
 * @param documents finished documents, groups and pairs, including dead letters
 * @param failures dead letters
 * @param cost sum of the costs of finished documents, in USD
 * @param costSquares sum of the squared costs
 * @param latency sum of the times that operators took, without waiting, in seconds
 * @param latencySquares sum of the squared latencies
 * @param work of all operators; null if not counted
 */
public record EpochCounts(
    long epoch,
    long documents,
    long failures,
    double cost,
    double costSquares,
    double latency,
    double latencySquares,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Work work) {

  /**
   * What operators did under one epoch, counted when it is done.
   *
   * @param sources documents of the sources whose first operators are done, whatever the outcome
   * @param costUsd USD that operators spent, on documents, groups and pairs
   * @param seconds time that operators took, without waiting
   */
  public record Work(long sources, double costUsd, double seconds) {

    /** No work. */
    public static final Work NONE = new Work(0, 0, 0);

    Work plus(Work other) {
      return new Work(sources + other.sources, costUsd + other.costUsd, seconds + other.seconds);
    }

    Work minus(Work earlier) {
      return new Work(
          sources - earlier.sources, costUsd - earlier.costUsd, seconds - earlier.seconds);
    }
  }

  /** Counters of no documents. */
  public static EpochCounts none(long epoch) {
    return new EpochCounts(epoch, 0, 0, 0, 0, 0, 0, null);
  }

  /** The work; {@link Work#NONE} if it is not counted. */
  public Work done() {
    return work == null ? Work.NONE : work;
  }

  /** Adds a finished document. */
  public EpochCounts with(double documentCost, double documentLatency, boolean failed) {
    return plus(
        new EpochCounts(
            epoch,
            1,
            failed ? 1 : 0,
            documentCost,
            documentCost * documentCost,
            documentLatency,
            documentLatency * documentLatency,
            null));
  }

  /** Adds work. */
  public EpochCounts with(Work more) {
    return plus(new EpochCounts(epoch, 0, 0, 0, 0, 0, 0, more));
  }

  /** Adds other counters, under the epoch of these. */
  public EpochCounts plus(EpochCounts other) {
    return new EpochCounts(
        epoch,
        documents + other.documents,
        failures + other.failures,
        cost + other.cost,
        costSquares + other.costSquares,
        latency + other.latency,
        latencySquares + other.latencySquares,
        work == null && other.work == null ? null : done().plus(other.done()));
  }

  /** The increase since an earlier reading of the same counters. */
  public EpochCounts minus(EpochCounts earlier) {
    return new EpochCounts(
        epoch,
        documents - earlier.documents,
        failures - earlier.failures,
        cost - earlier.cost,
        costSquares - earlier.costSquares,
        latency - earlier.latency,
        latencySquares - earlier.latencySquares,
        work == null ? null : done().minus(earlier.done()));
  }
}

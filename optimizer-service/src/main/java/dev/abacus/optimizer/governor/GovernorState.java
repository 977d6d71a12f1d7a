package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.QualityCounts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a governor, as JSON on the status topic under {@code <program>/governor}. A new
 * leader continues from it.
 *
 * @param readings last counters by instance
 * @param totals counters by epoch
 * @param judged judge counters of live outputs
 * @param movedAt time of the last move
 * @param rolledBack epochs that failed as canaries
 * @param corrected number of corrected results at the last round that they caused
 * @param last description of the last move; null before the first
 */
public record GovernorState(
    Map<String, FleetCounters.InstanceCounters> readings,
    Map<Long, EpochCounts> totals,
    List<QualityCounts> judged,
    SpendGuard spending,
    LagGuard lag,
    Map<String, OutageGuard.Avoided> avoided,
    DriftGuard.State drift,
    Set<Long> rolledBack,
    Instant movedAt,
    @Nullable String last,
    int corrected) {

  public GovernorState {
    // Absent in the state of an older version.
    judged = judged == null ? List.of() : List.copyOf(judged);
  }

  /** The initial state. */
  public static final GovernorState START =
      new GovernorState(
          Map.of(),
          Map.of(),
          List.of(),
          SpendGuard.START,
          LagGuard.START,
          Map.of(),
          DriftGuard.State.START,
          Set.of(),
          Instant.EPOCH,
          null,
          0);
}

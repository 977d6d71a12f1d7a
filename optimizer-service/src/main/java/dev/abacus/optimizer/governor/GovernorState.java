package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a governor remembers, as JSON on the status topic under {@code <program>/governor}: what
 * a restart goes on from.
 *
 * @param movedAt when it last moved
 * @param rolledBack epochs that failed as canaries
 * @param last what it did last, in words; null before its first move
 */
public record GovernorState(
    Map<String, Fleet.Reading> readings,
    Map<Long, EpochCounts> totals,
    SpendGuard.State spending,
    LagGuard.State lag,
    Map<String, OutageGuard.Avoided> avoided,
    DriftGuard.State drift,
    Set<Long> rolledBack,
    Instant movedAt,
    @Nullable String last) {

  /** Of a governor that has seen nothing. */
  public static final GovernorState START =
      new GovernorState(
          Map.of(),
          Map.of(),
          SpendGuard.State.START,
          LagGuard.State.START,
          Map.of(),
          DriftGuard.State.START,
          Set.of(),
          Instant.EPOCH,
          null);
}

package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.QualityCounts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a governor remembers, as JSON on the status topic under {@code <program>/governor}: what
 * a restart goes on from.
 *
 * @param judged what the judge said of live outputs
 * @param movedAt when it last moved
 * @param rolledBack epochs that failed as canaries
 * @param last what it did last, in words; null before its first move
 */
public record GovernorState(
    Map<String, Fleet.Reading> readings,
    Map<Long, EpochCounts> totals,
    List<QualityCounts> judged,
    SpendGuard.State spending,
    LagGuard.State lag,
    Map<String, OutageGuard.Avoided> avoided,
    DriftGuard.State drift,
    Set<Long> rolledBack,
    Instant movedAt,
    @Nullable String last) {

  // Not a compact constructor: its parameters would lose @Nullable in the class file.
  public GovernorState(
      Map<String, Fleet.Reading> readings,
      Map<Long, EpochCounts> totals,
      @Nullable List<QualityCounts> judged,
      SpendGuard.State spending,
      LagGuard.State lag,
      Map<String, OutageGuard.Avoided> avoided,
      DriftGuard.State drift,
      Set<Long> rolledBack,
      Instant movedAt,
      @Nullable String last) {
    this.readings = readings;
    this.totals = totals;
    // A state of an older version has none.
    this.judged = judged == null ? List.of() : List.copyOf(judged);
    this.spending = spending;
    this.lag = lag;
    this.avoided = avoided;
    this.drift = drift;
    this.rolledBack = rolledBack;
    this.movedAt = movedAt;
    this.last = last;
  }

  /** Of a governor that has seen nothing. */
  public static final GovernorState START =
      new GovernorState(
          Map.of(),
          Map.of(),
          List.of(),
          SpendGuard.State.START,
          LagGuard.State.START,
          Map.of(),
          DriftGuard.State.START,
          Set.of(),
          Instant.EPOCH,
          null);
}

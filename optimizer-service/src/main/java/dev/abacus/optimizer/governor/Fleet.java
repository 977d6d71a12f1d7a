package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.QualityCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what all instances report. Their counters start at zero with every process, so a counter
 * that fell is one that started again.
 */
final class Fleet {

  private static final int EPOCHS_KEPT = 20;

  /** What was read last of an instance's counters. */
  record Reading(
      double cost, long documents, Map<Long, EpochCounts> epochs, List<QualityCounts> judged) {
    static final Reading NOTHING = new Reading(0, 0, Map.of(), List.of());

    Reading(
        double cost,
        long documents,
        Map<Long, EpochCounts> epochs,
        @Nullable List<QualityCounts> judged) {
      this.cost = cost;
      this.documents = documents;
      this.epochs = epochs;
      // A reading of an older version has none.
      this.judged = judged == null ? List.of() : List.copyOf(judged);
    }

    QualityCounts judged(long epoch, String operator) {
      return judged.stream()
          .filter(counts -> counts.epoch() == epoch && counts.operator().equals(operator))
          .findFirst()
          .orElseGet(() -> QualityCounts.none(epoch, operator));
    }
  }

  private final Map<String, Reading> readings;
  private final TreeMap<Long, EpochCounts> totals;
  private final TreeMap<Long, TreeMap<String, QualityCounts>> judged = new TreeMap<>();
  private final Map<String, InstanceStatus> latest = new HashMap<>();

  Fleet(Map<String, Reading> readings, Map<Long, EpochCounts> totals, List<QualityCounts> judged) {
    this.readings = new TreeMap<>(readings);
    this.totals = new TreeMap<>(totals);
    judged.forEach(this::add);
  }

  private void add(QualityCounts more) {
    judged
        .computeIfAbsent(more.epoch(), _ -> new TreeMap<>())
        .merge(more.operator(), more, QualityCounts::plus);
  }

  /** What a report adds to what was known. */
  record Growth(double cost, long documents) {}

  Growth take(InstanceStatus status) {
    latest.put(status.instance(), status);
    long documents = status.results() + status.dropped() + status.deadLetters();
    Map<Long, EpochCounts> epochs = new HashMap<>();
    status.epochs().forEach(counts -> epochs.put(counts.epoch(), counts));
    Reading now = new Reading(status.costUsd(), documents, epochs, status.quality());
    Reading before = readings.getOrDefault(status.instance(), Reading.NOTHING);
    if (documents < before.documents() || status.costUsd() < before.cost()) {
      before = Reading.NOTHING;
    }
    readings.put(status.instance(), now);
    for (EpochCounts counts : status.epochs()) {
      EpochCounts known =
          before.epochs().getOrDefault(counts.epoch(), EpochCounts.none(counts.epoch()));
      totals.merge(counts.epoch(), counts.minus(known), EpochCounts::plus);
    }
    for (QualityCounts counts : status.quality()) {
      add(counts.minus(before.judged(counts.epoch(), counts.operator())));
    }
    while (totals.size() > EPOCHS_KEPT) {
      totals.pollFirstEntry();
    }
    while (judged.size() > EPOCHS_KEPT) {
      judged.pollFirstEntry();
    }
    return new Growth(now.cost() - before.cost(), documents - before.documents());
  }

  EpochCounts total(long epoch) {
    return totals.getOrDefault(epoch, EpochCounts.none(epoch));
  }

  /** What was judged of an epoch's documents, by operator. */
  Map<String, QualityCounts> judged(long epoch) {
    return Map.copyOf(judged.getOrDefault(epoch, new TreeMap<>()));
  }

  /** What was judged of all epochs. */
  List<QualityCounts> judged() {
    return judged.values().stream().flatMap(ofEpoch -> ofEpoch.values().stream()).toList();
  }

  /** Reports that tell of the present. */
  List<InstanceStatus> fresh(Instant now) {
    return latest.values().stream()
        .filter(status -> Duration.between(status.at(), now).compareTo(GovernorSettings.STALE) < 0)
        .toList();
  }

  /** Documents that wait or are being worked on. */
  long backlog(Instant now) {
    List<InstanceStatus> fresh = fresh(now);
    long lag =
        fresh.stream()
            .filter(status -> status.lag() != null)
            .max(java.util.Comparator.comparing(InstanceStatus::at))
            .map(InstanceStatus::lag)
            .orElse(0L);
    return lag + pending(now);
  }

  /** Documents that were admitted and are not done. */
  long pending(Instant now) {
    return fresh(now).stream().mapToLong(InstanceStatus::pending).sum();
  }

  Map<String, Reading> readings() {
    return Map.copyOf(readings);
  }

  Map<Long, EpochCounts> totals() {
    return Map.copyOf(totals);
  }
}

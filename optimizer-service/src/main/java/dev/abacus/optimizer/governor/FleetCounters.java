package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.control.StatusReports;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sums the counters of all instances of the data plane. Counters start at zero with every process,
 * so a counter that decreases belongs to a new process.
 */
final class FleetCounters {

  private static final int EPOCHS_KEPT = 20;

  /**
   * An instance that is silent for so long is gone: a new process has a new name. One that was only
   * suspended, as over a weekend, goes on with its counters, which must not count twice.
   */
  private static final Duration GONE_AFTER = Duration.ofDays(7);

  /**
   * The last reported counters of one instance.
   *
   * @param at hour of the report: a state that is equal is not written again; null in the state of
   *     an older version
   */
  record InstanceCounters(
      @Nullable Instant at,
      double cost,
      long documents,
      Map<Long, EpochCounts> epochs,
      List<QualityCounts> judged,
      Long tokens) {
    static final InstanceCounters ZERO = new InstanceCounters(null, 0, 0, Map.of(), List.of(), 0L);

    InstanceCounters {
      // Absent in the state of an older version.
      judged = judged == null ? List.of() : List.copyOf(judged);
      tokens = tokens == null ? Long.valueOf(0) : tokens;
    }

    QualityCounts judged(long epoch, String operator) {
      return judged.stream()
          .filter(counts -> counts.epoch() == epoch && counts.operator().equals(operator))
          .findFirst()
          .orElseGet(() -> QualityCounts.none(epoch, operator));
    }
  }

  private final Map<String, InstanceCounters> instances;
  private final TreeMap<Long, EpochCounts> totals;
  private final TreeMap<Long, TreeMap<String, QualityCounts>> judged = new TreeMap<>();
  private final Map<String, InstanceStatus> latest = new HashMap<>();

  FleetCounters(
      Map<String, InstanceCounters> instances,
      Map<Long, EpochCounts> totals,
      List<QualityCounts> judged) {
    this.instances = new TreeMap<>(instances);
    this.totals = new TreeMap<>(totals);
    judged.forEach(this::add);
  }

  private void add(QualityCounts more) {
    judged
        .computeIfAbsent(more.epoch(), _ -> new TreeMap<>())
        .merge(more.operator(), more, QualityCounts::plus);
  }

  /** The increase of counters by one report: cost in USD, source documents, and tokens. */
  record Increase(double cost, long documents, long tokens) {}

  /** Takes in a report and returns the increase since the last one. */
  Increase take(InstanceStatus status) {
    latest.put(status.instance(), status);
    long documents = status.results() + status.dropped() + status.deadLetters();
    Map<Long, EpochCounts> epochs = new HashMap<>();
    status.epochs().forEach(counts -> epochs.put(counts.epoch(), counts));
    InstanceCounters now =
        new InstanceCounters(
            status.at().truncatedTo(ChronoUnit.HOURS),
            status.costUsd(),
            documents,
            epochs,
            status.quality(),
            status.tokens() == null ? 0 : status.tokens().total());
    InstanceCounters before = instances.getOrDefault(status.instance(), InstanceCounters.ZERO);
    if (documents < before.documents() || status.costUsd() < before.cost()) {
      before = InstanceCounters.ZERO;
    }
    instances.put(status.instance(), now);
    long sources = 0;
    for (EpochCounts counts : status.epochs()) {
      EpochCounts known =
          before.epochs().getOrDefault(counts.epoch(), EpochCounts.none(counts.epoch()));
      EpochCounts more = counts.minus(known);
      sources += more.done().sources();
      totals.merge(counts.epoch(), more, EpochCounts::plus);
    }
    for (QualityCounts counts : status.quality()) {
      add(counts.minus(before.judged(counts.epoch(), counts.operator())));
    }
    limit(totals, epochs.keySet());
    limit(judged, epochs.keySet());
    return new Increase(
        now.cost() - before.cost(), sources, Math.max(0, now.tokens() - before.tokens()));
  }

  /** Removes the oldest epochs, but those of the latest documents. */
  private static void limit(SortedMap<Long, ?> byEpoch, Set<Long> latest) {
    Iterator<Long> oldest = byEpoch.keySet().iterator();
    while (byEpoch.size() > EPOCHS_KEPT && oldest.hasNext()) {
      if (!latest.contains(oldest.next())) {
        oldest.remove();
      }
    }
  }

  /**
   * Forgets the instances that were silent for long before the latest report, as their number grows
   * without end; returns their names. What the last ones had admitted waits, however long.
   */
  List<String> forget() {
    Instant newest =
        latest.values().stream()
            .map(InstanceStatus::at)
            .max(Comparator.naturalOrder())
            .orElse(Instant.EPOCH);
    List<String> gone =
        instances.entrySet().stream()
            .filter(one -> isGone(one.getValue().at(), newest))
            .map(Map.Entry::getKey)
            .toList();
    gone.forEach(instances::remove);
    gone.forEach(latest::remove);
    return gone;
  }

  private static boolean isGone(@Nullable Instant at, Instant newest) {
    return at != null && Duration.between(at, newest).compareTo(GONE_AFTER) > 0;
  }

  /** Counters of an epoch over all instances. */
  EpochCounts total(long epoch) {
    return totals.getOrDefault(epoch, EpochCounts.none(epoch));
  }

  /** Judge counters of an epoch, by operator. */
  Map<String, QualityCounts> judged(long epoch) {
    return Map.copyOf(judged.getOrDefault(epoch, new TreeMap<>()));
  }

  /** Judge counters of all epochs. */
  List<QualityCounts> judged() {
    return judged.values().stream().flatMap(ofEpoch -> ofEpoch.values().stream()).toList();
  }

  /** The last report of each instance, if younger than one minute. */
  List<InstanceStatus> fresh(Instant now) {
    return latest.values().stream()
        .filter(status -> !StatusReports.isSilent(status.at(), now))
        .toList();
  }

  /** Documents in process. */
  long inFlight(Instant now) {
    return fresh(now).stream().mapToLong(InstanceStatus::inFlight).sum();
  }

  /** Number of documents that are waiting or in flight. */
  long backlog(Instant now) {
    List<InstanceStatus> fresh = fresh(now);
    long lag =
        fresh.stream()
            .filter(status -> status.lag() != null)
            .max(Comparator.comparing(InstanceStatus::at))
            .map(InstanceStatus::lag)
            .orElse(0L);
    return lag + fresh.stream().mapToLong(InstanceStatus::pending).sum();
  }

  /**
   * The last reports of the instances that run, or if none runs, of those that ran last: documents
   * that they had admitted wait for the next instance.
   */
  List<InstanceStatus> last(Instant now) {
    List<InstanceStatus> fresh = fresh(now);
    return fresh.isEmpty()
        ? latest.values().stream()
            .map(InstanceStatus::at)
            .max(Comparator.naturalOrder())
            .map(this::fresh)
            .orElse(List.of())
        : fresh;
  }

  Map<String, InstanceCounters> instances() {
    return Map.copyOf(instances);
  }

  Map<Long, EpochCounts> totals() {
    return Map.copyOf(totals);
  }
}

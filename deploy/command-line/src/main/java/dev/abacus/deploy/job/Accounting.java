package dev.abacus.deploy.job;

import dev.abacus.schemas.control.InstanceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the outcome of every document of a job.
 *
 * <p>A result and a dead letter name their source record, so both are counted exactly. A filtered
 * document leaves no record. The job is complete when the number of documents without a record
 * equals the number of documents that the instances report as filtered since the job began, and no
 * instance holds a document. With one job at a time this rule is exact: a result that is not
 * committed yet keeps the first number above the second.
 *
 * <p>An instance that restarts resets its counters and counts uncommitted documents twice, so the
 * two numbers may never become equal. Then the job is complete when no number has changed for
 * {@link #SETTLED_MILLIS}, no instance holds a document, and the source topic is consumed to its
 * end (see {@link #settled}). The remaining documents were filtered.
 *
 * <p>A document of a one-to-many operator has several results, committed together; the first one
 * completes it. Stateful operators consume documents without a record and emit results that belong
 * to no single document. A job with stateful operators is complete when {@link IdleDetector} finds
 * the data plane idle; the remaining documents were consumed.
 */
final class Accounting {

  /** Several commit intervals and status reports. */
  static final long SETTLED_MILLIS = 15_000;

  private static final Duration SILENCE = Duration.ofSeconds(30);

  private enum Outcome {
    OPEN,
    RESULT,
    DEAD_LETTER
  }

  /** Counters of one instance: the last report, and the increase since the job began. */
  private static final class Growth {
    InstanceStatus last;
    long results;
    long filtered;
    long deadLetters;
    double costUsd;
    double sampleCostUsd;
    boolean reported;

    Growth(InstanceStatus baseline) {
      this.last = baseline;
    }

    /** Changes whenever a counter of live documents changes. */
    double sum() {
      return results + filtered + deadLetters + costUsd;
    }

    void to(InstanceStatus next) {
      boolean restarted =
          next.results() < last.results()
              || next.dropped() < last.dropped()
              || next.samples() < last.samples()
              || next.costUsd() < last.costUsd();
      results += next.results() - (restarted ? 0 : last.results());
      filtered += next.dropped() - (restarted ? 0 : last.dropped());
      deadLetters += next.deadLetters() - (restarted ? 0 : last.deadLetters());
      costUsd += next.costUsd() - (restarted ? 0 : last.costUsd());
      sampleCostUsd += next.sampleCostUsd() - (restarted ? 0 : last.sampleCostUsd());
      last = next;
      reported = true;
    }
  }

  private final Map<String, Integer> indexBySource = new HashMap<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final Map<String, Growth> instances = new TreeMap<>();
  private final @Nullable IdleDetector idle;
  private int results;
  private int deadLetters;
  private boolean settled;

  /**
   * @param statefulOperators number of stateful operators in the program
   */
  Accounting(int statefulOperators) {
    this.idle = statefulOperators == 0 ? null : new IdleDetector(statefulOperators);
  }

  /**
   * Registers a document that was written to its topic.
   *
   * @param source {@code topic-partition@offset}
   * @return its index, from 0
   */
  int sent(String source) {
    moved();
    outcomes.add(Outcome.OPEN);
    indexBySource.put(source, outcomes.size() - 1);
    return outcomes.size() - 1;
  }

  /**
   * Registers a result.
   *
   * @param source the source record that the result names
   * @return the document's index, or -1 if it does not belong to this job
   */
  int result(String source) {
    return close(source, Outcome.RESULT);
  }

  /** Registers a dead letter, as {@link #result} does for a result. */
  int deadLetter(String source) {
    return close(source, Outcome.DEAD_LETTER);
  }

  private int close(String source, Outcome outcome) {
    moved();
    Integer index = indexBySource.get(source);
    if (index == null) {
      return -1;
    }
    if (outcomes.get(index) != Outcome.OPEN) {
      return outcome == Outcome.RESULT && outcomes.get(index) == outcome ? index : -1;
    }
    outcomes.set(index, outcome);
    if (outcome == Outcome.RESULT) {
      results++;
    } else {
      deadLetters++;
    }
    return index;
  }

  private void moved() {
    if (idle != null) {
      idle.moved();
    }
  }

  /** Detects that the data plane is idle; null if the program has no stateful operators. */
  @Nullable IdleDetector idle() {
    return idle;
  }

  /** Registers the counters of an instance before the job began. */
  void baseline(InstanceStatus status) {
    instances.put(status.instance(), new Growth(status));
  }

  /** Registers a status report. */
  void report(InstanceStatus status) {
    Growth growth = instances.get(status.instance());
    if (growth == null) {
      growth = new Growth(nothing(status));
      instances.put(status.instance(), growth);
    }
    double before = growth.sum();
    growth.to(status);
    if (idle != null) {
      if (before != growth.sum()) {
        idle.moved();
      }
      idle.report(status);
    }
  }

  private static InstanceStatus nothing(InstanceStatus status) {
    return InstanceStatus.builder(status.program(), status.instance(), Instant.EPOCH, "").build();
  }

  /**
   * States that nothing has changed for {@link #SETTLED_MILLIS} and that the source topic is
   * consumed to its end.
   */
  void settled() {
    settled = true;
  }

  /** Number of documents without a result or dead letter. */
  int withoutRecord() {
    return outcomes.size() - results - deadLetters;
  }

  int sent() {
    return outcomes.size();
  }

  int results() {
    return results;
  }

  int deadLetters() {
    return deadLetters;
  }

  /** Number of filtered documents known so far; 0 if the program has stateful operators. */
  int filtered() {
    if (idle != null) {
      return 0;
    }
    return settled ? withoutRecord() : (int) Math.min(withoutRecord(), reportedFiltered());
  }

  /**
   * Number of documents that filters, windows or limits consumed without a record; known when the
   * job is complete, and 0 for a program without stateful operators.
   */
  int consumed() {
    return idle != null && complete() ? withoutRecord() : 0;
  }

  private long reportedFiltered() {
    return instances.values().stream().mapToLong(growth -> growth.filtered).sum();
  }

  /** Number of documents that instances hold. */
  long pending() {
    return instances().stream().mapToLong(InstanceStatus::pending).sum();
  }

  /** Whether the outcome of every document is known. */
  boolean complete() {
    if (idle != null) {
      return settled || idle.reached();
    }
    return withoutRecord() == 0
        || settled
        || (withoutRecord() == reportedFiltered() && pending() == 0);
  }

  /** Whether the instances' counters cover every document, so that the cost is complete. */
  boolean countersAreComplete() {
    long counted =
        instances.values().stream()
            .mapToLong(growth -> growth.results + growth.filtered + growth.deadLetters)
            .sum();
    return idle != null || counted >= sent();
  }

  double costUsd() {
    return instances.values().stream().mapToDouble(growth -> growth.costUsd).sum();
  }

  double sampleCostUsd() {
    return instances.values().stream().mapToDouble(growth -> growth.sampleCostUsd).sum();
  }

  /**
   * The last report of each live instance. An instance that has not reported since the job began,
   * or is silent for {@link #SILENCE} while others report, is considered dead: others own its
   * documents.
   */
  List<InstanceStatus> instances() {
    List<InstanceStatus> reported =
        instances.values().stream()
            .filter(growth -> growth.reported)
            .map(growth -> growth.last)
            .toList();
    Instant newest =
        reported.stream().map(InstanceStatus::at).max(Instant::compareTo).orElse(Instant.EPOCH);
    return reported.stream().filter(status -> status.at().isAfter(newest.minus(SILENCE))).toList();
  }
}

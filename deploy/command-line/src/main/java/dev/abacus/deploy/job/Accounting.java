package dev.abacus.deploy.job;

import dev.abacus.schemas.control.InstanceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
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
 * two numbers may never become equal. Stateful operators consume documents without a record and
 * emit results that belong to no single document. In both cases the job is complete when {@link
 * IdleDetector} finds the data plane idle; the remaining documents were filtered, or consumed by
 * stateful operators.
 *
 * <p>A document of a one-to-many operator has several results, committed together; the first one
 * completes it.
 */
final class Accounting {

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

  /** A document that was sent, and its results. */
  static final class Sent {
    private final String key;
    private final List<JobResult> results = new ArrayList<>();
    private Outcome outcome = Outcome.OPEN;

    Sent(String key) {
      this.key = key;
    }

    String key() {
      return key;
    }

    List<JobResult> results() {
      return results;
    }
  }

  /** Documents by their source record, in the order of sending. */
  private final Map<String, Sent> documents = new LinkedHashMap<>();

  private final Map<String, Growth> instances = new TreeMap<>();
  private final boolean stateful;
  private final IdleDetector idle;
  private int results;
  private int deadLetters;

  /**
   * @param statefulOperators number of stateful operators in the program
   */
  Accounting(int statefulOperators) {
    this.stateful = statefulOperators > 0;
    this.idle = new IdleDetector(statefulOperators);
  }

  /**
   * Registers a document that was written to its topic.
   *
   * @param source {@code topic-partition@offset}
   * @param key the document's key
   */
  void sent(String source, String key) {
    idle.moved();
    documents.put(source, new Sent(key));
  }

  /** The document of a source record; null if it does not belong to this job. */
  @Nullable Sent document(String source) {
    return documents.get(source);
  }

  /** The documents in the order of sending. */
  Collection<Sent> documents() {
    return documents.values();
  }

  /**
   * Registers a result.
   *
   * @param source the source record that the result names
   * @return the document, or null if it does not belong to this job
   */
  @Nullable Sent result(String source) {
    return close(source, Outcome.RESULT);
  }

  /** Registers a dead letter, as {@link #result} does for a result. */
  @Nullable Sent deadLetter(String source) {
    return close(source, Outcome.DEAD_LETTER);
  }

  private @Nullable Sent close(String source, Outcome outcome) {
    idle.moved();
    Sent document = documents.get(source);
    if (document == null) {
      return null;
    }
    if (document.outcome != Outcome.OPEN) {
      boolean further = outcome == Outcome.RESULT && document.outcome == outcome;
      return further ? document : null;
    }
    document.outcome = outcome;
    if (outcome == Outcome.RESULT) {
      results++;
    } else {
      deadLetters++;
    }
    return document;
  }

  /** Detects that the data plane is idle. */
  IdleDetector idle() {
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
    if (before != growth.sum()) {
      idle.moved();
    }
    idle.report(status, instances());
  }

  private static InstanceStatus nothing(InstanceStatus status) {
    return InstanceStatus.builder(status.program(), status.instance(), Instant.EPOCH, "").build();
  }

  /** Number of documents without a result or dead letter. */
  int withoutRecord() {
    return documents.size() - results - deadLetters;
  }

  int sent() {
    return documents.size();
  }

  int results() {
    return results;
  }

  int deadLetters() {
    return deadLetters;
  }

  /** Number of filtered documents known so far; 0 if the program has stateful operators. */
  int filtered() {
    if (stateful) {
      return 0;
    }
    return idle.reached() ? withoutRecord() : (int) Math.min(withoutRecord(), reportedFiltered());
  }

  /**
   * Number of documents that filters, windows or limits consumed without a record; known when the
   * job is complete, and 0 for a program without stateful operators.
   */
  int consumed() {
    return stateful && complete() ? withoutRecord() : 0;
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
    boolean counted =
        withoutRecord() == 0 || (withoutRecord() == reportedFiltered() && pending() == 0);
    return idle.reached() || (counted && !stateful);
  }

  /** Whether the instances' counters cover every document, so that the cost is complete. */
  boolean countersAreComplete() {
    long counted =
        instances.values().stream()
            .mapToLong(growth -> growth.results + growth.filtered + growth.deadLetters)
            .sum();
    return stateful || counted >= sent();
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

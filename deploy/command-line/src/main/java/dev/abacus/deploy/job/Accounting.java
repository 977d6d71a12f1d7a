package dev.abacus.deploy.job;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ReferenceProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows of every document of a job what became of it.
 *
 * <p>A result and a dead letter name the source record that they come from, so these are certain,
 * one by one. A filtered document leaves no record. So a job is done when the documents without
 * result and dead letter are exactly as many as the data plane says that its filters dropped since
 * the job began, and no instance holds a document. With one job at a time this is exact: a result
 * that was made but is not committed yet keeps the number of documents without record above that of
 * the drops.
 *
 * <p>Counters of an instance start again when it does, and what it had not committed is counted
 * twice. If an instance was restarted while the job ran, the two numbers may never meet; then the
 * job is done when for {@link #SETTLED_MILLIS} no number changed, no instance held a document, and
 * {@link #settled} is told that the source topic is consumed to its end. Whatever is still without
 * record then was dropped.
 *
 * <p>A document of a one-to-many operator has several results; it is done with the first, since all
 * are committed together. Where a program has operators that see several documents, documents go
 * into windows and beyond limits without a record, and results come from no single one. Such a job
 * is done when the data plane has come to {@link Rest}; what is left then was consumed.
 */
final class Accounting {

  /** Some commit intervals and status reports. */
  static final long SETTLED_MILLIS = 15_000;

  private static final Duration SILENCE = Duration.ofSeconds(30);

  private enum Fate {
    OPEN,
    RESULT,
    DEAD_LETTER
  }

  /** Counters of one instance: as last reported, and how much they grew since the job began. */
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

    /** Changes when anything of live documents does. */
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
  private final List<Fate> fates = new ArrayList<>();
  private final Map<String, Growth> instances = new TreeMap<>();
  private final @Nullable Rest rest;
  private int results;
  private int deadLetters;
  private boolean settled;

  /**
   * A job that has not begun.
   *
   * @param statefulOperators how many of the program's operators see several documents
   */
  Accounting(int statefulOperators) {
    this.rest = statefulOperators == 0 ? null : new Rest(statefulOperators);
  }

  /**
   * A document stands on its topic.
   *
   * @param source {@code topic-partition@offset}
   * @return its number, from 0
   */
  int sent(String source) {
    moved();
    fates.add(Fate.OPEN);
    indexBySource.put(source, fates.size() - 1);
    return fates.size() - 1;
  }

  /**
   * A result of that source record.
   *
   * @return the document's number, or -1 if it is not of this job
   */
  int result(String source) {
    return close(source, Fate.RESULT);
  }

  /** A dead letter of that source record: as {@link #result}. */
  int deadLetter(String source) {
    return close(source, Fate.DEAD_LETTER);
  }

  private int close(String source, Fate fate) {
    moved();
    Integer index = indexBySource.get(source);
    if (index == null) {
      return -1;
    }
    if (fates.get(index) != Fate.OPEN) {
      return fate == Fate.RESULT && fates.get(index) == fate ? index : -1;
    }
    fates.set(index, fate);
    if (fate == Fate.RESULT) {
      results++;
    } else {
      deadLetters++;
    }
    return index;
  }

  private void moved() {
    if (rest != null) {
      rest.moved();
    }
  }

  /** The rest that this job waits for; null where every document is waited for. */
  @Nullable Rest rest() {
    return rest;
  }

  /** What an instance had counted before the job began. */
  void baseline(InstanceStatus status) {
    instances.put(status.instance(), new Growth(status));
  }

  /** What an instance reports. */
  void report(InstanceStatus status) {
    Growth growth = instances.get(status.instance());
    if (growth == null) {
      growth = new Growth(nothing(status));
      instances.put(status.instance(), growth);
    }
    double before = growth.sum();
    growth.to(status);
    if (rest != null) {
      if (before != growth.sum()) {
        rest.moved();
      }
      rest.report(status);
    }
  }

  private static InstanceStatus nothing(InstanceStatus status) {
    return InstanceStatus.builder(status.program(), status.instance(), Instant.EPOCH, "").build();
  }

  /** Nothing changed for {@link #SETTLED_MILLIS}, and the source topic is consumed to its end. */
  void settled() {
    settled = true;
  }

  /** Documents without result and dead letter. */
  int withoutRecord() {
    return fates.size() - results - deadLetters;
  }

  int sent() {
    return fates.size();
  }

  int results() {
    return results;
  }

  int deadLetters() {
    return deadLetters;
  }

  /** Documents that filters dropped, as far as is known; 0 where they cannot be told apart. */
  int filtered() {
    if (rest != null) {
      return 0;
    }
    return settled ? withoutRecord() : (int) Math.min(withoutRecord(), reportedFiltered());
  }

  /**
   * Documents that left no record of their own, where windows and limits take documents as well as
   * filters do; known once the job is done.
   */
  int consumed() {
    return rest != null && complete() ? withoutRecord() : 0;
  }

  private long reportedFiltered() {
    return instances.values().stream().mapToLong(growth -> growth.filtered).sum();
  }

  /** Documents that instances hold. */
  long pending() {
    return instances().stream().mapToLong(InstanceStatus::pending).sum();
  }

  /** Whether every document is accounted for. */
  boolean complete() {
    if (rest != null) {
      return settled || rest.reached();
    }
    return withoutRecord() == 0
        || settled
        || (withoutRecord() == reportedFiltered() && pending() == 0);
  }

  /** Whether the instances' counters are as far as the records are, so that costs are whole. */
  boolean countersAreComplete() {
    long counted =
        instances.values().stream()
            .mapToLong(growth -> growth.results + growth.filtered + growth.deadLetters)
            .sum();
    return rest != null || counted >= sent();
  }

  double costUsd() {
    return instances.values().stream().mapToDouble(growth -> growth.costUsd).sum();
  }

  double sampleCostUsd() {
    return instances.values().stream().mapToDouble(growth -> growth.sampleCostUsd).sum();
  }

  /** How far references are that some instance has not ready yet: of each, the slowest report. */
  List<ReferenceProgress> references() {
    Map<String, ReferenceProgress> slowest = new TreeMap<>();
    for (InstanceStatus instance : instances()) {
      for (ReferenceProgress progress : instance.references()) {
        slowest.merge(
            progress.reference(), progress, (one, two) -> one.ready() < two.ready() ? one : two);
      }
    }
    return List.copyOf(slowest.values());
  }

  /**
   * The instances as they last reported. One that has not reported since the job began, or has been
   * silent for long while others were not, is gone: others have its documents.
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

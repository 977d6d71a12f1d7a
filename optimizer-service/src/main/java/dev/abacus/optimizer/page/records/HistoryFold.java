package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.PromiseReport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What each program did in the last two hours, in steps of 30 s. */
final class HistoryFold {

  static final Duration STEP = Duration.ofSeconds(30);
  static final Duration KEPT = Duration.ofHours(2);

  private final Map<String, TreeMap<Instant, Cluster.Step>> programs = new HashMap<>();

  /**
   * Adds what an instance did between two reports.
   *
   * @param before null for the first report, whose counters may be of any age
   */
  void add(@Nullable InstanceStatus before, InstanceStatus now) {
    // A process that was restarted counts from zero.
    boolean restarted = before != null && StatusFold.finished(now) < StatusFold.finished(before);
    InstanceStatus base = before == null ? now : before;
    long documents = StatusFold.finished(now) - (restarted ? 0 : StatusFold.finished(base));
    double usd = now.costUsd() - (restarted ? 0 : base.costUsd());
    double sampleUsd = now.sampleCostUsd() - (restarted ? 0 : base.sampleCostUsd());
    change(
        now.program(),
        now.at(),
        step ->
            new Cluster.Step(
                step.at(),
                step.documents() + documents,
                step.usd() + usd,
                step.sampleUsd() + sampleUsd,
                step.plan()));
  }

  /** Remembers how the active plan stood. */
  void add(String program, Instant at, PromiseReport report) {
    change(program, at, step -> step.withPlan(report));
  }

  private void change(String program, Instant at, UnaryOperator<Cluster.Step> change) {
    Instant begin = begin(at);
    TreeMap<Instant, Cluster.Step> steps = programs.computeIfAbsent(program, _ -> new TreeMap<>());
    steps.put(begin, change.apply(steps.getOrDefault(begin, Cluster.Step.none(begin))));
    steps.headMap(steps.lastKey().minus(KEPT), false).clear();
  }

  private static Instant begin(Instant at) {
    long millis = at.toEpochMilli();
    return Instant.ofEpochMilli(millis - Math.floorMod(millis, STEP.toMillis()));
  }

  /** The steps since the first report of the last two hours, also those without any. */
  List<Cluster.Step> steps(String program, Instant now) {
    TreeMap<Instant, Cluster.Step> steps = programs.getOrDefault(program, new TreeMap<>());
    Instant first = steps.ceilingKey(begin(now.minus(KEPT)));
    return first == null
        ? List.of()
        : Stream.iterate(first, at -> !at.isAfter(begin(now)), at -> at.plus(STEP))
            .map(at -> steps.getOrDefault(at, Cluster.Step.none(at)))
            .toList();
  }
}

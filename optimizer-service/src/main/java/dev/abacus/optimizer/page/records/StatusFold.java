package dev.abacus.optimizer.page.records;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.kafka.RecordText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Folds the status topic: the last report of each key, and the rates of the last minute. */
final class StatusFold {

  private final StatusReports reports = new StatusReports();
  private final Map<String, Deque<InstanceStatus>> recent = new HashMap<>();
  private final HistoryFold history = new HistoryFold();

  /** Applies a record; an unreadable one is ignored. */
  void accept(ConsumerRecord<byte[], byte[]> record) {
    InstanceStatus status = reports.accept(record);
    if (status != null) {
      remember(status);
    } else if (record.value() == null && record.key() != null) {
      recent.remove(RecordText.key(record));
    } else if (record.key() != null) {
      String program = RecordText.key(record).replaceFirst("/.*", "");
      PromiseReport report = PromiseReport.find(reports.optimizer(program));
      if (report != null) {
        history.add(program, Instant.ofEpochMilli(record.timestamp()), report);
      }
    }
  }

  private void remember(InstanceStatus status) {
    Deque<InstanceStatus> latest =
        recent.computeIfAbsent(status.program() + "/" + status.instance(), _ -> new ArrayDeque<>());
    InstanceStatus last = latest.peekLast();
    history.add(last, status);
    if (last != null && finished(status) < finished(last)) {
      latest.clear();
    }
    latest.addLast(status);
    while (latest.size() > 2 && StatusReports.isSilent(latest.getFirst().at(), status.at())) {
      latest.removeFirst();
    }
  }

  /** The instances of a program that reported in the last minute. */
  List<InstanceStatus> live(String program, Instant now) {
    return reports.instances(program).stream()
        .filter(status -> !StatusReports.isSilent(status.at(), now))
        .toList();
  }

  Cluster.Rates rates(String program, Instant now) {
    double documents = 0;
    double usd = 0;
    boolean isKnown = false;
    Map<String, Cluster.OperatorRate> operators = new TreeMap<>();
    for (InstanceStatus status : live(program, now)) {
      Deque<InstanceStatus> known = recent.get(program + "/" + status.instance());
      // A record under a key that is not its own tells nothing.
      InstanceStatus first = known == null ? status : known.getFirst();
      double seconds = Duration.between(first.at(), status.at()).toMillis() / 1000.0;
      if (seconds > 0) {
        isKnown = true;
        documents += (finished(status) - finished(first)) / seconds;
        usd += (status.costUsd() - first.costUsd()) / seconds * 3600;
        increase(first, status)
            .forEach(work ->
                operators.merge(
                    work.operator(),
                    Cluster.OperatorRate.of(work, seconds / 60),
                    Cluster.OperatorRate::plus));
      }
    }
    return isKnown
        ? new Cluster.Rates(documents, usd, operators)
        : new Cluster.Rates(null, null, Map.of());
  }

  private static List<OperatorCounts> increase(InstanceStatus first, InstanceStatus last) {
    Map<String, OperatorCounts> before =
        first.operators().stream()
            .collect(Collectors.toMap(OperatorCounts::operator, Function.identity()));
    return last.operators().stream()
        .map(work ->
            work.minus(before.getOrDefault(work.operator(), OperatorCounts.none(work.operator()))))
        .toList();
  }

  static long finished(InstanceStatus status) {
    return status.results() + status.dropped() + status.deadLetters();
  }

  @Nullable JsonNode search(String program) {
    return reports.optimizer(program);
  }

  /** What a program did in the last two hours. */
  List<Cluster.Step> history(String program, Instant now) {
    return history.steps(program, now);
  }

  /** The optimizer's report on a plan; null if it has not reported on this plan. */
  @Nullable PromiseReport report(String program, long epoch) {
    PromiseReport report = PromiseReport.find(reports.optimizer(program));
    return report != null && report.epoch() == epoch ? report : null;
  }

  @Nullable JsonNode governor(String program) {
    return reports.governor(program);
  }
}

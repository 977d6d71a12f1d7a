package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.control.OperatorReuse;
import dev.abacus.schemas.control.SourceSize;
import dev.abacus.schemas.control.StatusReports;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the instances of the data plane report about their models and documents. Old reports are
 * forgotten.
 */
final class WorkerReports {

  private final Map<String, InstanceStatus> latest = new TreeMap<>();

  /**
   * Adds a report; returns whether it says something else than the one before. The state of a model
   * has the time at which it is heard of, once there is one: the clocks of workers differ from this
   * one.
   */
  boolean add(InstanceStatus status, Instant now) {
    InstanceStatus before = latest.get(status.instance());
    List<ModelReport> known = before == null ? List.of() : before.availability();
    InstanceStatus heard =
        now.equals(Instant.EPOCH) ? status : with(status, report -> heard(report, known, now));
    latest.put(status.instance(), heard);
    return !known.equals(heard.availability());
  }

  private static InstanceStatus with(InstanceStatus status, UnaryOperator<ModelReport> change) {
    return status.toBuilder()
        .availability(status.availability().stream().map(change).toList())
        .build();
  }

  private static ModelReport heard(ModelReport report, List<ModelReport> known, Instant now) {
    return known.stream()
        .filter(one -> one.model().equals(report.model()) && one.state() == report.state())
        .findFirst()
        .map(one -> since(report, one.since()))
        .orElseGet(() -> since(report, now));
  }

  private static ModelReport since(ModelReport report, Instant since) {
    return new ModelReport(report.model(), report.state(), since, report.message());
  }

  /** The size of processed documents by source, over all instances. */
  Map<String, SourceSize> sizes() {
    return sums(InstanceStatus::sizes, SourceSize::source, SourceSize::plus);
  }

  /** Inputs and outputs of operators over several documents, by operator, over all instances. */
  Map<String, OperatorFlow> flows() {
    return sums(InstanceStatus::flows, OperatorFlow::operator, OperatorFlow::plus);
  }

  private <T> Map<String, T> sums(
      Function<InstanceStatus, List<T>> of, Function<T, String> key, BinaryOperator<T> plus) {
    return latest.values().stream()
        .flatMap(status -> of.apply(status).stream())
        .collect(Collectors.toMap(key, Function.identity(), plus, TreeMap::new));
  }

  /** What operators did, by operator, over all instances. */
  Map<String, OperatorCounts> operators() {
    return sums(InstanceStatus::operators, OperatorCounts::operator, OperatorCounts::plus);
  }

  /**
   * The answer store's part in the requests of each operator, over all instances; empty if no
   * instance has an answer store, null if there are no counts.
   */
  @Nullable Map<String, OperatorReuse> reuse() {
    Map<String, OperatorReuse> sums =
        sums(
            status -> status.reuse() == null ? List.of() : status.reuse().operators(),
            OperatorReuse::operator,
            OperatorReuse::plus);
    boolean off =
        !latest.isEmpty() && latest.values().stream().allMatch(status -> status.reuse() == null);
    return off || !sums.isEmpty() ? sums : null;
  }

  /** Forgets old reports; returns whether one of them named a model. */
  boolean tick(Instant now) {
    List<InstanceStatus> stale =
        latest.values().stream()
            .filter(status -> StatusReports.isSilent(status.at(), now))
            .toList();
    stale.forEach(status -> latest.remove(status.instance()));
    latest.replaceAll((_, status) ->
        status.availability().stream().anyMatch(report -> report.since().isAfter(now))
            ? with(status, report -> report.since().isAfter(now) ? since(report, now) : report)
            : status);
    return stale.stream().anyMatch(status -> !status.availability().isEmpty());
  }

  /**
   * One report for each model: the worst state over all instances, because each of them processes
   * samples with any model.
   */
  List<ModelReport> models() {
    Map<String, ModelReport> worst = new TreeMap<>();
    Comparator<ModelReport> order =
        Comparator.comparing((ModelReport report) -> report.state().isPermanent())
            .thenComparing(ModelReport::state)
            .thenComparing(ModelReport::since);
    latest.values().stream()
        .flatMap(status -> status.availability().stream())
        .forEach(report ->
            worst.merge(report.model(), report, (a, b) -> order.compare(a, b) >= 0 ? a : b));
    return new ArrayList<>(worst.values());
  }
}

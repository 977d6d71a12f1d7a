package dev.abacus.schemas.monitor;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of metrics at one time. Values of the same metric and labels are added. */
public final class MetricSamples {

  private static final String TOTAL = "_total";

  private final Map<Metric, Map<Labels, Double>> values = new EnumMap<>(Metric.class);
  private final Map<Metric, Map<Labels, LatencyHistogram>> histograms = new EnumMap<>(Metric.class);

  /**
   * Adds a value, unless it is null.
   *
   * @param labels values of the labels of the metric, in their order
   */
  public void add(Metric metric, @Nullable Number value, String... labels) {
    if (value != null) {
      values
          .computeIfAbsent(metric, _ -> new LinkedHashMap<>())
          .merge(labels(metric, labels), value.doubleValue(), Double::sum);
    }
  }

  /** Adds 1 for true and 0 for false. */
  public void add(Metric metric, boolean value, String... labels) {
    add(metric, value ? 1 : 0, labels);
  }

  /** Adds a histogram. */
  public void add(Metric metric, LatencyHistogram histogram, String... labels) {
    histograms
        .computeIfAbsent(metric, _ -> new LinkedHashMap<>())
        .put(labels(metric, labels), histogram);
  }

  private static Labels labels(Metric metric, String... labels) {
    return Labels.of(metric.labels().toArray(String[]::new), labels);
  }

  MetricSnapshots toSnapshots() {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    values.forEach((metric, points) -> all.metricSnapshot(snapshot(metric, points)));
    histograms.forEach((metric, points) -> all.metricSnapshot(histogram(metric, points)));
    return all.build();
  }

  private static MetricSnapshot snapshot(Metric metric, Map<Labels, Double> points) {
    if (metric.type() == Metric.Type.COUNTER) {
      String name = metric.id().substring(0, metric.id().length() - TOTAL.length());
      CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(metric.help());
      points.forEach((labels, value) ->
          counter.dataPoint(
              CounterDataPointSnapshot.builder().labels(labels).value(Math.max(0, value)).build()));
      return counter.build();
    }
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(metric.id()).help(metric.help());
    points.forEach((labels, value) ->
        gauge.dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(value).build()));
    return gauge.build();
  }

  private static MetricSnapshot histogram(Metric metric, Map<Labels, LatencyHistogram> points) {
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder().name(metric.id()).help(metric.help());
    points.forEach((labels, counted) ->
        histogram.dataPoint(
            HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(
                    ClassicHistogramBuckets.of(counted.upperBounds(), counted.counts()))
                .sum(counted.sum())
                .build()));
    return histogram.build();
  }
}

package dev.abacus.schemas.monitor;

import dev.abacus.schemas.kafka.Json;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a process says of itself over HTTP, at whichever server asks:
 *
 * <ul>
 *   <li>{@code /metrics}: all metrics in Prometheus' text format
 *   <li>{@code /health/live}: 200, or 503 if only a restart of the process helps
 *   <li>{@code /health/ready}: 200, also if a part is degraded, or 503 if the process cannot work
 * </ul>
 *
 * Both health pages have the {@link Health} as JSON.
 */
public final class Monitoring implements AutoCloseable {

  /** The paths that are answered. */
  public static final List<String> PATHS = List.of("/metrics", "/health/live", "/health/ready");

  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String JSON = "application/json";

  /** An answer; {@code status} is that of HTTP. */
  public record Answer(int status, String type, String body) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private volatile @Nullable Supplier<Health> health;

  /**
   * Starts to answer.
   *
   * @param metrics adds the values of all metrics; called for each scrape, by any thread
   * @param now called for each request, by any thread
   */
  public void watch(Consumer<MetricSamples> metrics, Supplier<Health> now) {
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    collections.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    registry.getPrometheusRegistry().register((MultiCollector) () -> collect(metrics));
    health = now;
  }

  private static MetricSnapshots collect(Consumer<MetricSamples> metrics) {
    MetricSamples samples = new MetricSamples();
    metrics.accept(samples);
    return samples.toSnapshots();
  }

  /**
   * Answers a path.
   *
   * @return null before {@link #watch}, and for other paths
   */
  public @Nullable Answer answer(String path) {
    Supplier<Health> watched = health;
    if (watched == null) {
      return null;
    }
    return switch (path) {
      case "/metrics" -> new Answer(200, TEXT, registry.scrape());
      case "/health/live" -> of(watched.get(), Health::live);
      case "/health/ready" -> of(watched.get(), Health::ready);
      default -> null;
    };
  }

  private static Answer of(Health now, Predicate<Health> well) {
    return new Answer(well.test(now) ? 200 : 503, JSON, Json.tree(now).toString());
  }

  /** For metrics of libraries. */
  public MeterRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}

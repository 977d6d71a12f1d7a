package dev.abacus.schemas.monitor;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the metrics and the health of a process over HTTP, on virtual threads:
 *
 * <ul>
 *   <li>{@code /metrics}: all metrics in Prometheus' text format
 *   <li>{@code /health/live}: 200, or 503 if only a restart of the process helps
 *   <li>{@code /health/ready}: 200, also if a part is degraded, or 503 if the process cannot work
 * </ul>
 *
 * Both health pages have the {@link Health} as JSON.
 */
public final class MonitorServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MonitorServer.class);
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String JSON = "application/json";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  private MonitorServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens, without answers before {@link #serve}.
   *
   * @param listener null for no server
   * @return null if there is no listener
   * @throws ConfigException if the address cannot be used
   */
  public static @Nullable MonitorServer open(@Nullable InetSocketAddress listener) {
    if (listener == null) {
      return null;
    }
    try {
      return new MonitorServer(HttpServer.create(listener, 0));
    } catch (IOException | UnresolvedAddressException e) {
      throw new ConfigException("cannot listen on %s: %s".formatted(listener, e.getMessage()));
    }
  }

  /**
   * Starts to answer.
   *
   * @param metrics adds the values of all metrics; called for each scrape, by any thread
   * @param health called for each request, by any thread
   */
  public void serve(Consumer<MetricSamples> metrics, Supplier<Health> health) {
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    collections.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    registry.getPrometheusRegistry().register((MultiCollector) () -> collect(metrics));
    server.setExecutor(threads);
    server.createContext("/metrics", exchange -> answer(exchange, 200, TEXT, registry::scrape));
    server.createContext(
        "/health/live",
        exchange -> {
          Health now = health.get();
          answer(exchange, now.live() ? 200 : 503, JSON, () -> Json.tree(now).toString());
        });
    server.createContext(
        "/health/ready",
        exchange -> {
          Health now = health.get();
          answer(exchange, now.ready() ? 200 : 503, JSON, () -> Json.tree(now).toString());
        });
    server.start();
    LOG.info("Metrics and health at http://{}:{}", host(), port());
  }

  private static MetricSnapshots collect(Consumer<MetricSamples> metrics) {
    MetricSamples samples = new MetricSamples();
    metrics.accept(samples);
    return samples.toSnapshots();
  }

  private static void answer(
      HttpExchange exchange, int status, String type, Supplier<String> content) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      byte[] body = content.get().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    } catch (RuntimeException e) {
      LOG.warn("Cannot answer {}", exchange.getRequestURI(), e);
      throw e;
    }
  }

  private String host() {
    String host = server.getAddress().getAddress().getHostAddress();
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** The port that the server listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** For metrics of libraries. */
  public MeterRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    collections.close();
    registry.close();
  }
}

package dev.abacus.schemas.monitor;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
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

/** Serves the {@link Monitoring} of a process over HTTP, on virtual threads. */
public final class MonitorServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MonitorServer.class);

  private final Monitoring monitoring = new Monitoring();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private boolean serving;

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
    monitoring.watch(metrics, health);
    server.setExecutor(threads);
    Monitoring.PATHS.forEach(path -> server.createContext(path, this::answer));
    server.start();
    serving = true;
    LOG.info("Metrics and health at http://{}:{}", host(), port());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      Monitoring.Answer answer = monitoring.answer(exchange.getHttpContext().getPath());
      if (answer == null) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.sendResponseHeaders(answer.status(), body.length);
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
    return monitoring.registry();
  }

  @Override
  public void close() {
    if (!serving) {
      server.start(); // One that has never run keeps its port when it stops.
    }
    server.stop(0);
    threads.shutdownNow();
    monitoring.close();
  }
}

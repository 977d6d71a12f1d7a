package dev.abacus.optimizer.page;

import dev.abacus.optimizer.page.http.PageAccess;
import dev.abacus.optimizer.page.http.PageServer;
import dev.abacus.optimizer.page.http.Visitor;
import dev.abacus.optimizer.page.records.ClusterFeed;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.monitor.Health;
import dev.abacus.schemas.monitor.MetricSamples;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running page with its own Kafka clients. Its failures do not affect the optimizer. */
public final class OptimizerPage implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OptimizerPage.class);

  private final ClusterFeed feed;
  private final PageServer server;
  private final String token;

  private OptimizerPage(ClusterFeed feed, PageServer server, String token) {
    this.feed = feed;
    this.server = server;
    this.token = token;
  }

  /**
   * Starts the page.
   *
   * @param listener null for no page
   * @param access without visitors, someone with a random token, which the log names
   * @param clients properties of Kafka clients
   * @return null if there is no listener
   * @throws IllegalArgumentException if the address or the key store cannot be used
   */
  public static @Nullable OptimizerPage open(
      @Nullable InetSocketAddress listener,
      PageAccess access,
      Map<String, Object> clients,
      ModelCatalogue catalogue,
      Clock clock) {
    if (listener == null) {
      return null;
    }
    boolean open = access.visitors().isEmpty();
    List<Visitor> visitors =
        open
            ? List.of(new Visitor(ControlRecord.USER, true, PageServer.newToken()))
            : access.visitors();
    ClusterFeed feed = ClusterFeed.start(clients, catalogue, clock);
    try {
      PageServer server =
          PageServer.start(
              listener,
              feed,
              new PageAccess(visitors, access.keyStore(), access.password()),
              clock);
      String token = visitors.getFirst().token();
      LOG.info("Page at {}{}", server.url(), open ? "; token for changes: " + token : "");
      return new OptimizerPage(feed, server, token);
    } catch (RuntimeException e) {
      feed.close();
      throw e;
    }
  }

  /** Serves metrics and health at the address of the page too. */
  public void serve(Consumer<MetricSamples> metrics, Supplier<Health> health) {
    server.serve(metrics, health);
  }

  /** The token of the first visitor. */
  public String token() {
    return token;
  }

  /** The address of the page. */
  public String url() {
    return server.url();
  }

  @Override
  public void close() {
    server.close();
    feed.close();
  }
}

package dev.abacus.optimizer.page;

import dev.abacus.optimizer.page.http.PageServer;
import dev.abacus.optimizer.page.records.ClusterFeed;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.monitor.Health;
import dev.abacus.schemas.monitor.MetricSamples;
import dev.abacus.schemas.monitor.Monitoring;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.replay.DeadLetterReplay;
import java.net.InetSocketAddress;
import java.time.Clock;
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
  private final Monitoring monitoring = new Monitoring();

  private OptimizerPage(ClusterFeed feed, PageServer server, String token) {
    this.feed = feed;
    this.server = server;
    this.token = token;
  }

  /**
   * Starts the page.
   *
   * @param listener null for no page
   * @param token that changes need; null for a random one, which the log names
   * @param clients properties of Kafka clients
   * @return null if there is no listener
   * @throws IllegalStateException if the address cannot be used
   */
  public static @Nullable OptimizerPage open(
      @Nullable InetSocketAddress listener,
      @Nullable String token,
      Map<String, Object> clients,
      ModelCatalogue catalogue,
      Clock clock) {
    if (listener == null) {
      return null;
    }
    String used = token == null ? PageServer.newToken() : token;
    ClusterFeed feed = ClusterFeed.start(clients, catalogue, clock);
    try {
      PageServer server =
          PageServer.start(
              listener,
              new PageServer.Source(feed::snapshot, feed::write, feed::troubles, replays(feed)),
              used,
              clock);
      LOG.info("Page at {}{}", server.url(), token == null ? "; token for changes: " + used : "");
      return new OptimizerPage(feed, server, used);
    } catch (RuntimeException e) {
      feed.close();
      throw e;
    }
  }

  private static PageServer.Replays replays(ClusterFeed feed) {
    return new PageServer.Replays() {
      @Override
      public DeadLetterReplay.Letters pending(Program program) {
        return feed.pendingLetters(program);
      }

      @Override
      public DeadLetterReplay.Letters replay(Program program) {
        return feed.replay(program);
      }
    };
  }

  /** Serves metrics and health at the address of the page too. */
  public void serve(Consumer<MetricSamples> metrics, Supplier<Health> health) {
    monitoring.watch(metrics, health);
    server.serve(monitoring);
  }

  /** The address of the page. */
  public String url() {
    return server.url();
  }

  /** The token that changes need. */
  public String token() {
    return token;
  }

  @Override
  public void close() {
    server.close();
    feed.close();
    monitoring.close();
  }
}

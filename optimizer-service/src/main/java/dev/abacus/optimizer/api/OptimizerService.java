package dev.abacus.optimizer.api;

import dev.abacus.optimizer.kafka.ControlPlane;
import dev.abacus.optimizer.kafka.KafkaSettings;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.page.OptimizerPage;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.monitor.BrokerWatch;
import dev.abacus.schemas.monitor.HttpListener;
import dev.abacus.schemas.monitor.MonitorServer;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.supervision.ThreadStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control plane as a service: one process serves all programs of a cluster.
 *
 * <pre>{@code
 * try (OptimizerService optimizer = OptimizerService.start(new OptimizerConfig(properties))) {
 *   optimizer.failure().join();
 * }
 * }</pre>
 */
public final class OptimizerService implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OptimizerService.class);

  private final ControlPlane plane;
  private final BrokerWatch broker;
  private final @Nullable MonitorServer monitor;
  private final @Nullable OptimizerPage page;

  private OptimizerService(
      ControlPlane plane,
      BrokerWatch broker,
      @Nullable MonitorServer monitor,
      @Nullable OptimizerPage page) {
    this.plane = plane;
    this.broker = broker;
    this.monitor = monitor;
    this.page = page;
  }

  /**
   * Starts the service. If no broker is available, it retries in the background.
   *
   * @throws ConfigException if the configuration is invalid
   */
  public static OptimizerService start(OptimizerConfig config) {
    return start(config, Clock.systemUTC());
  }

  private static @Nullable OptimizerPage page(OptimizerConfig config, Clock clock) {
    try {
      return OptimizerPage.open(
          HttpListener.parse(config.getString(OptimizerConfig.PAGE_LISTENER)),
          config.pageAccess(),
          config.clientProperties(),
          config.catalogue(),
          clock);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }

  static OptimizerService start(OptimizerConfig config, Clock clock) {
    ControlPlane plane = new ControlPlane(settings(config), clock);
    BrokerWatch broker =
        BrokerWatch.start(
            () -> Admin.create(config.clientProperties()), BrokerWatch.INTERVAL, clock);
    MonitorServer monitor = null;
    OptimizerPage page;
    try {
      monitor =
          MonitorServer.open(HttpListener.parse(config.getString(OptimizerConfig.HTTP_LISTENER)));
      page = page(config, clock);
    } catch (RuntimeException e) {
      new OptimizerService(plane, broker, monitor, null).close();
      throw e;
    }
    OptimizerService service = new OptimizerService(plane, broker, monitor, page);
    OptimizerMonitor watched = new OptimizerMonitor(plane, broker);
    if (monitor != null) {
      monitor.serve(watched::addMetrics, watched::health);
    }
    if (page != null) {
      page.serve(watched::addMetrics, watched::health);
    }
    LOG.info("Optimizer started; it reads the topics of all programs");
    plane.start();
    return service;
  }

  private static KafkaSettings settings(OptimizerConfig config) {
    ModelCatalogue catalogue = config.catalogue();
    long seed = config.getLong(OptimizerConfig.SEED);
    int newArmExamples = config.getInt(OptimizerConfig.NEW_ARM_EXAMPLES);
    LoopSettings loop =
        LoopSettings.builder(
                seed,
                priors ->
                    config
                        .policy()
                        .createHedging(
                            seed,
                            SampleBudget.SAMPLES_PER_OPERATOR,
                            priors,
                            config.getInt(OptimizerConfig.FRONTIER_SIZE),
                            newArmExamples),
                program -> SearchSpace.of(program, catalogue, config.embedders()).union(),
                catalogue)
            .priors(config.priors())
            .search(SearchOptions.DEFAULT.withFrontierDimensions(SearchOptions.ALL_DIMENSIONS))
            .fullSamples(newArmExamples)
            .patience(config.millis(OptimizerConfig.SAMPLE_PATIENCE_MS))
            .confirmation(config.confirmation())
            .pipelined(config.getBoolean(OptimizerConfig.PIPELINED))
            .validationTopic(config.names()::validation)
            .build();
    return new KafkaSettings(
        config.clientProperties(),
        new KafkaSettings.TopicDefaults(
            config.getShort(OptimizerConfig.REPLICATION_FACTOR),
            config.getInt(OptimizerConfig.SAMPLE_PARTITIONS)),
        config.millis(OptimizerConfig.STATUS_INTERVAL_MS),
        config.millis(OptimizerConfig.SESSION_TIMEOUT_MS),
        new KafkaSettings.ExampleSettings(
            config.getInt(OptimizerConfig.STREAM_EXAMPLES),
            config.millis(OptimizerConfig.STREAM_EXAMPLES_AFTER_MS),
            config.getBoolean(OptimizerConfig.FEW_SHOT)),
        config.governor(),
        loop);
  }

  /**
   * Waits until all programs on the control topic are known, or another optimizer leads.
   *
   * @return false if {@code timeout} has passed or the service has ended
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    return plane.awaitReady(timeout);
  }

  /** The states of the long-lived threads. */
  public List<ThreadStatus> threads() {
    return plane.threads();
  }

  /** The address of the page; null if no listener is configured. */
  public @Nullable String pageUrl() {
    return page == null ? null : page.url();
  }

  /** The token that changes on the page need; null without a page. */
  public @Nullable String pageToken() {
    return page == null ? null : page.token();
  }

  /** Completes with the error if one ends the service; the process must then end. */
  public CompletableFuture<String> failure() {
    return plane.failure();
  }

  /**
   * Ends the service after the current turn, which is interrupted if it takes long, and closes all
   * connections.
   */
  @Override
  public void close() {
    if (page != null) {
      page.close();
    }
    if (monitor != null) {
      monitor.close();
    }
    broker.close();
    plane.close();
  }
}

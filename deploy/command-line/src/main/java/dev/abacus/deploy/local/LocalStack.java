package dev.abacus.deploy.local;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A complete stack on this machine: broker, models (simulated unless an endpoint is set), worker
 * and optimizer in this JVM, and a schema registry in a child JVM. Starts in about ten seconds.
 */
public final class LocalStack implements AutoCloseable {

  /** Name of the worker whose models are simulated, by which other commands know it. */
  public static final String SIMULATED = "local-simulated";

  private static final Logger LOG = LoggerFactory.getLogger(LocalStack.class);

  private final Settings settings;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CompletableFuture<String> failure = new CompletableFuture<>();

  /** Started parts, the last first. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private @Nullable KafkaConnection connection;
  private @Nullable URI modelEndpoint;
  private @Nullable LocalRegistry registry;
  private @Nullable OptimizerService optimizer;

  /**
   * Settings of the stack.
   *
   * @param portBase Kafka's port; the registry uses the next port, the simulated models the one
   *     after, the page the fourth; 0 for any free ports
   * @param data folder of all data, kept after {@link #close}; null for a temporary folder
   * @param endpoint an OpenAI-compatible endpoint; null for simulated models
   * @param key API key of the endpoint; null if it needs none
   * @param simulator options of the simulated models; the port is replaced
   * @param registry whether to start a schema registry
   * @param catalogue file with further models; null for none
   * @param partitions number of partitions of topics that carry documents
   * @param planes settings of worker and optimizer beside those that the stack sets
   */
  @RecordBuilder
  public record Settings(
      int portBase,
      @Nullable Path data,
      @Nullable URI endpoint,
      @Nullable String key,
      SimulatorOptions simulator,
      boolean registry,
      @Nullable Path catalogue,
      int partitions,
      PlaneSettings planes)
      implements LocalStackSettingsBuilder.With {

    /** Free ports, temporary data, simulated models without answers, and a registry. */
    public static Settings defaults() {
      return new Settings(
          0, null, null, null, SimulatorOptions.DEFAULTS, true, null, 4, PlaneSettings.NONE);
    }
  }

  private LocalStack(Settings settings) {
    this.settings = settings;
  }

  /**
   * Starts the stack.
   *
   * @param progress receives one line per started part
   * @throws LocalServiceException if a part does not start; the started parts are stopped
   */
  public static LocalStack start(Settings settings, Consumer<String> progress) {
    LocalStack stack = new LocalStack(settings);
    // Delete temporary data also when the user ends the JVM.
    Runtime.getRuntime().addShutdownHook(new Thread(stack::close, "abacus-stack-close"));
    try {
      stack.startParts(progress);
      return stack;
    } catch (RuntimeException e) {
      stack.close();
      throw e;
    }
  }

  private void startParts(Consumer<String> progress) {
    requireFreePorts();
    DataFolder data = DataFolder.of(settings.data, "stack");
    parts.push(data);
    Path folder = data.path();
    // Start the slowest part in parallel.
    CompletableFuture<LocalRegistry> starting =
        settings.registry
            ? CompletableFuture.supplyAsync(
                () -> LocalRegistry.start(port(1), folder.resolve("registry")))
            : null;
    try {
      LocalKafka kafka = LocalKafka.start(port(0), folder.resolve("kafka"));
      parts.push(kafka);
      progress.accept("Kafka at " + kafka.bootstrapServers());
      KafkaConnection started = KafkaConnection.to(kafka.bootstrapServers());
      connection = started;
      creation().createShared(started);
      startModels(progress);
    } finally {
      await(starting);
    }
    if (registry != null) {
      progress.accept("schema registry at " + registry.url());
    }
    startPlanes(folder, progress);
  }

  private void requireFreePorts() {
    List<String> parties =
        settings.planes.optimizer().containsKey(OptimizerConfig.PAGE_LISTENER)
            ? List.of("Kafka", "the schema registry", "the simulated models", "the page")
            : List.of("Kafka", "the schema registry", "the simulated models");
    for (int i = 0; settings.portBase != 0 && i < parties.size(); i++) {
      var _ = Ports.requireFree(port(i), parties.get(i));
    }
  }

  private int port(int offset) {
    return settings.portBase == 0 ? 0 : settings.portBase + offset;
  }

  private void await(@Nullable CompletableFuture<LocalRegistry> starting) {
    if (starting != null) {
      try {
        LocalRegistry started = starting.join();
        parts.push(started);
        registry = started;
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : e;
      }
    }
  }

  private void startModels(Consumer<String> progress) {
    if (settings.endpoint != null) {
      modelEndpoint = settings.endpoint;
      progress.accept("models at " + settings.endpoint);
      return;
    }
    try {
      SimulatedEndpoint models = SimulatedEndpoint.start(settings.simulator.withPort(port(2)));
      parts.push(models);
      modelEndpoint = models.baseUri();
      progress.accept(
          "SIMULATED models at %s, which know %d documents"
              .formatted(models.baseUri(), models.knownDocuments()));
    } catch (IOException e) {
      throw new LocalServiceException("the simulated models did not start: " + e.getMessage(), e);
    }
  }

  /**
   * The key that a stack sends: simulated models and many servers accept any, but want one.
   *
   * @param key null if the endpoint needs none
   */
  public static String keyOrNone(@Nullable String key) {
    return key == null ? "none" : key;
  }

  private void startPlanes(Path folder, Consumer<String> progress) {
    Map<String, Object> properties = new HashMap<>(connection().properties());
    if (registry != null) {
      properties.put(WorkerConfig.REGISTRY_URL, registry.url());
    }
    Map<String, Object> worker = new HashMap<>(properties);
    Map<String, Object> optimizer = new HashMap<>(properties);
    if (settings.catalogue != null) {
      worker.put(WorkerConfig.MODEL_CATALOGUE, settings.catalogue.toString());
      optimizer.put(OptimizerConfig.MODEL_CATALOGUE, settings.catalogue.toString());
    }
    worker.put(WorkerConfig.INSTANCE_ID, simulated() ? SIMULATED : "local");
    worker.put(WorkerConfig.STATE_DIR, folder.resolve("streams").toString());
    worker.put(WorkerConfig.STATUS_INTERVAL_MS, STATUS_MILLIS);
    worker.put(WorkerConfig.MODEL_ENDPOINT, modelEndpoint().toString());
    worker.put(WorkerConfig.MODEL_KEY, keyOrNone(settings.key));
    worker.putAll(settings.planes.worker());
    optimizer.putAll(settings.planes.optimizer());
    optimizer.computeIfPresent(
        OptimizerConfig.PAGE_LISTENER,
        (_, listener) -> String.valueOf(listener).replaceFirst(":0$", ":" + port(3)));
    try {
      Worker started = Worker.start(new WorkerConfig(worker));
      parts.push(started);
      var _ =
          started
              .failure()
              .thenAccept(thread -> failure.complete("the worker ended: " + thread.describe()));
      progress.accept("data plane");
      OptimizerService service = OptimizerService.start(new OptimizerConfig(optimizer));
      parts.push(service);
      this.optimizer = service;
      var _ =
          service
              .failure()
              .thenAccept(reason -> failure.complete("the optimizer ended: " + reason));
      progress.accept("optimizer");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalServiceException("interrupted while starting", e);
    }
  }

  private static final long STATUS_MILLIS = 500;

  /** Completes with the reason when the worker or the optimizer cannot continue. */
  public CompletableFuture<String> failure() {
    return failure;
  }

  /** The connection to Kafka. */
  public KafkaConnection connection() {
    return Objects.requireNonNull(connection);
  }

  /** The model endpoint. */
  public URI modelEndpoint() {
    return Objects.requireNonNull(modelEndpoint);
  }

  /** URL of the registry; null if there is none. */
  public @Nullable String registryUrl() {
    return registry == null ? null : registry.url();
  }

  /** The address of the optimizer's page; null without a page. */
  public @Nullable String pageUrl() {
    return optimizer == null ? null : optimizer.pageUrl();
  }

  /** The token that changes on the page need; null without a page. */
  public @Nullable String pageToken() {
    return optimizer == null ? null : optimizer.pageToken();
  }

  /** Whether models are simulated, so that cost and quality are not those of real models. */
  public boolean simulated() {
    return settings.endpoint == null;
  }

  /** Creates the topics of a program. */
  public void createTopics(Program program) {
    creation().create(connection(), program);
  }

  private TopicCreation creation() {
    return new TopicCreation(settings.partitions, 1);
  }

  /** Stops all parts in reverse order of their start. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      while (!parts.isEmpty()) {
        try {
          parts.pop().close();
        } catch (Exception e) {
          LOG.warn("A part of the local stack failed to stop", e);
        }
      }
    }
  }
}

package dev.abacus.deploy.cli.run;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.ModelEndpoint;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.option.RedactedOutput;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.secret.ConfiguredSecrets;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus worker}. */
@Command(
    name = "worker",
    description = {
      "Run one instance of the data plane, which runs every applied program.",
      "Set any of its settings with -X, such as -X abacus.in.flight=500."
    },
    footer =
        "  OPENAI_API_KEY=… abacus worker --bootstrap-server localhost:9092 --data /var/lib/abacus")
public final class WorkerCommand implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerCommand.class);

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "State directory; keep it across restarts, one per instance (default: data/streams).")
  private @Nullable Path data;

  @Option(
      names = "--instance",
      paramLabel = "NAME",
      description = "Name of this instance, unique in the cluster (default: random).")
  private @Nullable String instance;

  @Option(
      names = "--model-endpoint",
      paramLabel = "URL",
      description = "OpenAI-compatible API (variable OPENAI_BASE_URL); its key is OPENAI_API_KEY.")
  private @Nullable URI endpoint;

  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Map<String, Object> properties = new HashMap<>(kafka.settings());
    // An option has precedence over -X, -X over the variables of the model endpoint.
    if (data != null) {
      properties.put(WorkerConfig.STATE_DIR, data.toString());
    }
    if (instance != null) {
      properties.put(WorkerConfig.INSTANCE_ID, instance);
    }
    if (endpoint != null) {
      properties.put(WorkerConfig.MODEL_ENDPOINT, endpoint.toString());
    }
    ModelEndpoint models = ModelEndpoint.of(endpoint, System.getenv());
    if (models != null) {
      properties.putIfAbsent(WorkerConfig.MODEL_ENDPOINT, models.uri().toString());
    }
    String key = System.getenv(ModelEndpoint.KEY_VARIABLE);
    if (key != null) {
      properties.putIfAbsent(WorkerConfig.MODEL_KEY, key);
    }
    if (programs.modelsFile() != null) {
      properties.put(WorkerConfig.MODEL_CATALOGUE, programs.modelsFile().toString());
    }
    WorkerConfig config = new WorkerConfig(properties);
    RedactedOutput.know(
        ConfiguredSecrets.redactor(properties, programs.catalogue(), System::getenv));
    requireKey(config);
    kafka.checkPlane(Role.WORKER, programs.catalogue());
    try (Termination stop = Termination.onSignal();
        Worker worker = start(config, stop)) {
      if (worker != null) {
        output.note(
            "worker %s runs against %s; Ctrl-C stops"
                .formatted(config.instanceId(), kafka.settings().get("bootstrap.servers")));
        stop.awaitEnd(
            worker.failure().thenApply(thread -> "the worker ended: " + thread.describe()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts the worker; null if the start failed after a signal. */
  private static @Nullable Worker start(WorkerConfig config, Termination stop)
      throws InterruptedException {
    try {
      return Worker.start(config);
    } catch (RuntimeException e) {
      if (stop.isSignalled()) {
        LOG.info("A signal ended the start of the worker: {}", e.toString());
        return null;
      }
      throw e;
    }
  }

  /** Fails at start instead of at the first document. */
  private static void requireKey(WorkerConfig config) {
    String uri = config.getString(WorkerConfig.MODEL_ENDPOINT);
    if (config.modelKey() == null
        && config.getString(WorkerConfig.MODEL_CATALOGUE) == null
        && uri.startsWith("https://api.openai.com")) {
      throw CommandFailure.failed(
          "there is no key for the models at " + uri,
          "Set OPENAI_API_KEY, or name another endpoint with --model-endpoint.");
    }
  }
}

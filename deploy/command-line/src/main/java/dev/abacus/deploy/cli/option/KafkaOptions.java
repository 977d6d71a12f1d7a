package dev.abacus.deploy.cli.option;

import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.access.MissingAclException;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.secret.ConfiguredSecrets;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/**
 * Options for the connection to Kafka and the schema registry. Precedence, highest first: {@code
 * --bootstrap-server}, {@code -X}, {@code ABACUS_KAFKA_…}, {@code --command-config}.
 */
public final class KafkaOptions {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaOptions.class);

  /** {@code ABACUS_KAFKA_SECURITY_PROTOCOL} sets {@code security.protocol}. */
  private static final String VARIABLE_PREFIX = "ABACUS_KAFKA_";

  private static final String REGISTRY_VARIABLE = "ABACUS_SCHEMA_REGISTRY_URL";
  private static final String PREFIX_VARIABLE = "ABACUS_PREFIX";
  private static final String BOOTSTRAP = "bootstrap.servers";
  public static final String REGISTRY = "schema.registry.url";

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "Kafka bootstrap server (default: localhost:9092).")
  private @Nullable String bootstrapServer;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description = "File of Kafka client properties, such as security settings.")
  private @Nullable Path commandConfig;

  @Option(
      names = "-X",
      paramLabel = "KEY=VALUE",
      description = "A Kafka client property; also as variable ABACUS_KAFKA_KEY.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Option(
      names = "--schema-registry",
      paramLabel = "URL",
      description = "Schema registry for Avro (variable ABACUS_SCHEMA_REGISTRY_URL).")
  private @Nullable String registry;

  /** The properties of -X. */
  public Map<String, String> given() {
    return Map.copyOf(properties);
  }

  /** Whether the user set a bootstrap server. */
  public boolean isGiven() {
    return bootstrapServer != null || settings(System.getenv()).containsKey(BOOTSTRAP);
  }

  /** All properties; {@code schema.registry.url} holds the URL of the registry. */
  public Map<String, String> settings() {
    Map<String, String> settings = settings(System.getenv());
    settings.putIfAbsent(BOOTSTRAP, "localhost:9092");
    return settings;
  }

  public Map<String, String> settings(Map<String, String> environment) {
    Map<String, String> all = new LinkedHashMap<>();
    if (commandConfig != null) {
      all.putAll(file(commandConfig));
    }
    environment.forEach((variable, value) -> {
      if (variable.startsWith(VARIABLE_PREFIX)) {
        String key = variable.substring(VARIABLE_PREFIX.length());
        all.put(key.toLowerCase(Locale.ROOT).replace('_', '.'), value);
      } else if (variable.equals(REGISTRY_VARIABLE)) {
        all.put(REGISTRY, value);
      } else if (variable.equals(PREFIX_VARIABLE)) {
        all.put(KafkaNames.SETTING, value);
      }
    });
    all.putAll(properties);
    if (bootstrapServer != null) {
      all.put(BOOTSTRAP, bootstrapServer);
    }
    if (registry != null) {
      all.put(REGISTRY, registry);
    }
    var _ =
        CommandFailure.checked(
            () -> KafkaNames.of(all),
            "Correct -X %s, %s or the file of --command-config."
                .formatted(KafkaNames.SETTING, PREFIX_VARIABLE));
    RedactedOutput.know(
        ConfiguredSecrets.redactor(all, ModelCatalogue.builtIn(), environment::get));
    return all;
  }

  private static Map<String, String> file(Path file) {
    Properties read = new Properties();
    try {
      read.load(new StringReader(ProgramOptions.text(file)));
    } catch (IOException | IllegalArgumentException e) {
      throw CommandFailure.invalid(
          "%s holds no properties: %s".formatted(file, e.getMessage()),
          "Write key=value lines, as for Kafka's own tools.");
    }
    return Utils.propsToStringMap(read);
  }

  /**
   * Connects to the cluster and checks that it answers.
   *
   * @throws dev.abacus.deploy.cluster.OperationFailedException if it does not answer
   */
  public KafkaConnection connect() {
    KafkaConnection connection = connection();
    connection.check();
    return connection;
  }

  /**
   * Connects a worker or an optimizer, and checks the ACLs that it needs, for the applied programs
   * too. Access that only programs lack is logged: the others can be served.
   *
   * @throws MissingAclException if Kafka does not allow what the process needs for itself
   */
  public KafkaConnection checkPlane(Role role, ModelCatalogue catalogue) {
    KafkaConnection connection = connect();
    try {
      connection.requireAccess(role, applied(catalogue));
    } catch (MissingAclException e) {
      if (role.shared(connection.names()).stream().anyMatch(e::concerns)) {
        throw e;
      }
      LOG.warn("Some programs have to wait. {}", e.getMessage());
    }
    return connection;
  }

  /**
   * The programs on the control topic; empty if it cannot be read, for whatever reason: the
   * supervised thread that reads it in the running process decides what follows.
   */
  private List<Program> applied(ModelCatalogue catalogue) {
    try {
      ControlState state = control(catalogue).read();
      return state.programs().stream().map(state::require).toList();
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      LOG.debug("The control topic cannot be read yet: {}", e.toString());
      return List.of();
    }
  }

  /** The cluster. Does not check that it answers. */
  public KafkaConnection connection() {
    return new KafkaConnection(settings());
  }

  /** The control topic of the cluster. Checks that the cluster answers. */
  public ControlTopic control(ModelCatalogue catalogue) {
    return new ControlTopic(connect(), catalogue);
  }
}

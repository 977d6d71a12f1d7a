package dev.abacus.optimizer.api;

import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.page.http.PageAccess;
import dev.abacus.optimizer.page.http.Visitor;
import dev.abacus.optimizer.sampling.prior.PriorSource;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.io.NameSuggestions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of the optimizer service. Its own properties start with {@code optimizer.}; all
 * others are passed to the Kafka clients and the Avro deserializer.
 */
public final class OptimizerConfig extends AbstractConfig {

  public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
  public static final String SEED = "optimizer.seed";
  public static final String POLICY = "optimizer.policy";
  public static final String PRIORS = "optimizer.priors";
  public static final String FRONTIER_SIZE = "optimizer.frontier.size";
  public static final String NEW_ARM_EXAMPLES = "optimizer.new.arm.examples";
  public static final String SAMPLE_PATIENCE_MS = "optimizer.sample.patience.ms";
  public static final String PIPELINED = "optimizer.pipelined";
  public static final String CONFIRMATION_SHARE = "optimizer.confirmation.share";
  public static final String BOUND_PROBABILITY = "optimizer.bound.probability";
  public static final String QUALITY_TOLERANCE = "optimizer.quality.tolerance";
  public static final String EMBEDDERS = "optimizer.embedders";
  public static final String MODEL_CATALOGUE = "optimizer.model.catalogue";
  public static final String REPLICATION_FACTOR = "optimizer.replication.factor";
  public static final String SAMPLE_PARTITIONS = "optimizer.sample.partitions";
  public static final String HTTP_LISTENER = "optimizer.http.listener";
  public static final String PAGE_LISTENER = "optimizer.page.listener";
  public static final String PAGE_TOKEN = "optimizer.page.token";
  public static final String PAGE_USERS = "optimizer.page.users";
  public static final String PAGE_KEY_STORE = "optimizer.page.keystore";
  public static final String PAGE_KEY_STORE_PASSWORD = "optimizer.page.keystore.password";
  public static final String STATUS_INTERVAL_MS = "optimizer.status.interval.ms";

  public static final String SESSION_TIMEOUT_MS = "optimizer.session.timeout.ms";
  public static final String STREAM_EXAMPLES = "optimizer.stream.examples";
  public static final String STREAM_EXAMPLES_AFTER_MS = "optimizer.stream.examples.after.ms";
  public static final String FEW_SHOT = "optimizer.few.shot";
  public static final String GOVERNOR_DWELL_MS = "optimizer.governor.dwell.ms";
  public static final String GOVERNOR_COOL_OFF_MS = "optimizer.governor.cool.off.ms";
  public static final String FEEDBACK_CORRECTIONS = "optimizer.feedback.corrections";

  private static final String OWN = "optimizer.";

  /** Properties that the exactly-once writes need, with their only valid value. */
  private static final Map<String, String> EXACTLY_ONCE =
      Map.of(
          "isolation.level",
          "read_committed",
          "enable.auto.commit",
          "false",
          "enable.idempotence",
          "true",
          "acks",
          "all");

  /**
   * Reads properties.
   *
   * @throws ConfigException if a property is missing or invalid
   */
  public OptimizerConfig(Map<String, ?> properties) {
    super(OptimizerSettings.DEFINITION, properties, false);
    Set<String> known = OptimizerSettings.DEFINITION.names();
    properties.keySet().stream()
        .filter(name -> name.startsWith(OWN) && !known.contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw new ConfigException(
              NameSuggestions.unknown("setting", name, known.stream().sorted().toList()));
        });
    EXACTLY_ONCE.forEach((name, only) -> {
      Object given = properties.get(name);
      if (given != null && !only.equals(given.toString())) {
        throw new ConfigException(name, given, "must stay " + only + ": exactly-once needs it");
      }
    });
    var _ = names();
    if (properties.containsKey("transactional.id")) {
      throw new ConfigException("transactional.id cannot be set: exactly-once needs it");
    }
  }

  /** The definition of all properties, with documentation and defaults. */
  public static ConfigDef definition() {
    return new ConfigDef(OptimizerSettings.DEFINITION);
  }

  /** Names of topics, groups and transactional ids. */
  public KafkaNames names() {
    try {
      return new KafkaNames(getString(KafkaNames.SETTING));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }

  /** The properties of Kafka clients and the Avro deserializer. */
  public Map<String, Object> clientProperties() {
    Map<String, Object> properties = new HashMap<>(originals());
    properties.keySet().removeIf(name -> name.startsWith(OWN));
    return properties;
  }

  /**
   * The built-in models, extended by the configured file.
   *
   * @throws ConfigException if the file is unreadable or a configured embedder is unknown
   */
  public ModelCatalogue catalogue() {
    @Nullable String file = getString(MODEL_CATALOGUE);
    try {
      ModelCatalogue catalogue =
          file == null
              ? ModelCatalogue.builtIn()
              : ModelCatalogue.builtIn().extendedBy(Path.of(file));
      embedders().forEach(catalogue::get);
      return catalogue;
    } catch (IllegalArgumentException e) {
      ConfigException invalid = new ConfigException(e.getMessage());
      invalid.initCause(e);
      throw invalid;
    }
  }

  /** Who may use the page; the owner of the token is the first. */
  PageAccess pageAccess() {
    List<Visitor> visitors = new ArrayList<>();
    if (!secret(PAGE_TOKEN).isEmpty()) {
      visitors.add(new Visitor(ControlRecord.USER, true, secret(PAGE_TOKEN)));
    }
    visitors.addAll(Visitor.parse(secret(PAGE_USERS)));
    return new PageAccess(visitors, getString(PAGE_KEY_STORE), secret(PAGE_KEY_STORE_PASSWORD));
  }

  private String secret(String name) {
    Password secret = getPassword(name);
    return secret == null ? "" : secret.value();
  }

  PolicyName policy() {
    return PolicyName.ofLabel(getString(POLICY));
  }

  List<PriorSource> priors() {
    return getList(PRIORS).stream().map(PriorSource::ofLabel).toList();
  }

  List<String> embedders() {
    return getList(EMBEDDERS);
  }

  /** A setting in milliseconds. */
  Duration millis(String name) {
    return Duration.ofMillis(getLong(name));
  }

  GovernorSettings governor() {
    return new GovernorSettings(
        millis(GOVERNOR_DWELL_MS),
        millis(GOVERNOR_COOL_OFF_MS),
        GovernorSettings.DEFAULTS.leastDocuments(),
        getInt(FEEDBACK_CORRECTIONS));
  }

  Confirmation confirmation() {
    return new Confirmation(
        getDouble(CONFIRMATION_SHARE), getDouble(BOUND_PROBABILITY), getDouble(QUALITY_TOLERANCE));
  }
}

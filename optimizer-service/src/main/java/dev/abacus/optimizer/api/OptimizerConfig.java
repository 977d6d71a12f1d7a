package dev.abacus.optimizer.api;

import static dev.abacus.schemas.setting.SettingTable.setting;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.DOUBLE;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.PASSWORD;
import static org.apache.kafka.common.config.ConfigDef.Type.SHORT;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.page.http.PageAccess;
import dev.abacus.optimizer.page.http.Visitor;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.sampling.prior.PriorSource;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.input.Keyword;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.ProcessConfig;
import dev.abacus.schemas.monitor.HttpListener;
import dev.abacus.schemas.setting.SettingTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of the optimizer service. Its own properties start with {@code optimizer.}; all
 * others are passed to the Kafka clients and the Avro deserializer.
 */
public final class OptimizerConfig extends ProcessConfig {

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
          "isolation.level", "read_committed",
          "enable.auto.commit", "false",
          "enable.idempotence", "true",
          "acks", "all");

  private static final int SHORTEST_TOKEN = 16;

  private static final ConfigDef.Validator PAGE_TOKEN_CHECK =
      (name, value) -> {
        if (value instanceof Password token && token.value().length() < SHORTEST_TOKEN) {
          throw new ConfigException(name + " must have at least 16 characters");
        }
      };

  private static final ConfigDef.Validator USERS_CHECK =
      (name, value) -> {
        try {
          var _ = Visitor.parse(value instanceof Password users ? users.value() : "");
        } catch (IllegalArgumentException e) {
          throw new ConfigException(name + ": " + e.getMessage());
        }
      };

  /** Names, defaults and meanings of the settings that are this product's own. */
  public static final ConfigDef DEFINITION =
      new SettingTable()
          .with(
              setting(
                  BOOTSTRAP_SERVERS,
                  LIST,
                  ConfigDef.NO_DEFAULT_VALUE,
                  ConfigDef.ValidList.anyNonDuplicateValues(false, false)),
              "Kafka bootstrap servers, as host:port, separated by commas.")
          .with(setting(KafkaNames.SETTING, STRING, ""), KafkaNames.DOCUMENTATION)
          .with(
              setting(SEED, LONG, 42L),
              "Seed of the random numbers of the search. The same observations and seed give "
                  + "the same plan.")
          .with(
              setting(
                  POLICY,
                  STRING,
                  PolicyName.DEFAULT.label(),
                  ConfigDef.ValidString.in(
                      Keyword.labels(PolicyName.class).toArray(String[]::new))),
              "Sampling policy: surrogate (a model shared by all implementations), paper (the "
                  + "bandit of the paper) or random.")
          .with(
              setting(
                  PRIORS,
                  LIST,
                  PriorSource.LEARNT.label(),
                  ConfigDef.ValidList.in(Keyword.labels(PriorSource.class).toArray(String[]::new))),
              "Sources of priors for programs without user priors, the most trusted first: "
                  + "learnt (measurements of other programs on the cluster), naive (published model "
                  + "data); empty for none.")
          .with(
              setting(FRONTIER_SIZE, INT, BanditSampling.FRONTIER_SIZE, atLeast(1)),
              "Number of implementations of an operator that are compared at a time (k of the "
                  + "paper).")
          .with(
              setting(NEW_ARM_EXAMPLES, INT, BanditSampling.NEW_ARM_EXAMPLES, atLeast(1)),
              "Number of validation examples for a newly drawn implementation (j of the paper).")
          .with(
              setting(
                  SAMPLE_PATIENCE_MS, LONG, LoopSettings.DEFAULT_PATIENCE.toMillis(), atLeast(1)),
              "Time to wait for a sample after the last result of its wave, in milliseconds; "
                  + "then the sample is abandoned.")
          .with(
              setting(PIPELINED, BOOLEAN, true),
              "Sample all operators concurrently. If false, an operator is sampled after its "
                  + "predecessors are done, as in the paper.")
          .with(
              setting(CONFIRMATION_SHARE, DOUBLE, Confirmation.SHARE, between(0, 0.9)),
              "Fraction of the sample budget that measures the best plans on examples that the "
                  + "search does not use; 0 for no such measurement.")
          .with(
              setting(
                  BOUND_PROBABILITY, DOUBLE, Confirmation.BOUND_PROBABILITY, between(0.5, 0.999)),
              "Probability with which each bound of an objective has to hold.")
          .with(
              setting(QUALITY_TOLERANCE, DOUBLE, Confirmation.TOLERANCE, between(0, 1)),
              "Difference in quality up to which the cheaper of two plans is chosen.")
          .with(
              setting(EMBEDDERS, LIST, SearchSpace.DEFAULT_EMBEDDERS),
              "Embedding models, by catalogue name, that implementations may use.")
          .with(
              setting(MODEL_CATALOGUE, STRING, null),
              "JSON file that adds models to the catalogue or replaces models by name.")
          .with(
              setting(REPLICATION_FACTOR, SHORT, (short) -1),
              "Replication factor of topics that the optimizer creates; -1 for the brokers' "
                  + "default.")
          .with(
              setting(SAMPLE_PARTITIONS, INT, -1),
              "Number of partitions of the samples topic, if the optimizer creates it; -1 for "
                  + "the number of the program's source.")
          .with(
              setting(SESSION_TIMEOUT_MS, LONG, 10_000L, atLeast(1000)),
              "Time within which another optimizer replaces a leader that died, in "
                  + "milliseconds. Below 8600, Kafka's minimum session timeout of 6000 applies.")
          .with(
              setting(STREAM_EXAMPLES, INT, 40, atLeast(0)),
              "Number of source documents to sample a program without validation examples on, "
                  + "scored by the judge; 0 for none.")
          .with(
              setting(STREAM_EXAMPLES_AFTER_MS, LONG, 15_000L, atLeast(0)),
              "Time to wait for validation examples before source documents are used, in "
                  + "milliseconds.")
          .with(
              setting(FEW_SHOT, BOOLEAN, true),
              "Whether plans may contain labelled examples for prompts. If false, no program may "
                  + "show any (few-shot), and plans with examples are refused; set abacus.few.shot "
                  + "of the workers too.")
          .with(
              setting(
                  GOVERNOR_DWELL_MS,
                  LONG,
                  GovernorSettings.DEFAULTS.dwell().toMillis(),
                  atLeast(0)),
              "Minimum time between two moves of the governor, except for outages, in "
                  + "milliseconds.")
          .with(
              setting(
                  GOVERNOR_COOL_OFF_MS,
                  LONG,
                  GovernorSettings.DEFAULTS.coolOff().toMillis(),
                  atLeast(1)),
              "Time for which the governor avoids a model whose calls fail, in milliseconds; it "
                  + "doubles with each further failure.")
          .with(
              setting(
                  FEEDBACK_CORRECTIONS, INT, GovernorSettings.DEFAULTS.corrections(), atLeast(1)),
              "Corrected results after which a new round of sampling starts.")
          .with(
              setting(HTTP_LISTENER, STRING, "", HttpListener.VALIDATOR),
              HttpListener.DOCUMENTATION)
          .with(
              setting(PAGE_LISTENER, STRING, "", HttpListener.VALIDATOR),
              "Address (HOST:PORT) that serves the web page of all programs; port 0 for any free "
                  + "port, which the log names. On a loopback address everyone on the machine can "
                  + "read; on another address reading needs a token. Empty for no page.")
          .with(
              setting(PAGE_TOKEN, PASSWORD, null, PAGE_TOKEN_CHECK),
              "Token that changes on the page need, at least 16 characters; by default a random "
                  + "one, which the log names.")
          .with(
              setting(PAGE_USERS, PASSWORD, null, USERS_CHECK),
              "Who may sign in to the page: NAME:read:TOKEN or NAME:steer:TOKEN, separated by "
                  + "commas; `read` changes nothing. Names are in the list of changes.")
          .with(
              setting(PAGE_KEY_STORE, STRING, ""),
              "Key store (PKCS12 or JKS) with the certificate of the page, which then speaks "
                  + "HTTPS. Empty for HTTP.")
          .with(
              setting(PAGE_KEY_STORE_PASSWORD, PASSWORD, null), "Password of the page's key store.")
          .with(
              setting(STATUS_INTERVAL_MS, LONG, 10_000L, atLeast(100)),
              "Interval at which the state of every search is reported even if it has not "
                  + "changed, in milliseconds.")
          .definition();

  /**
   * Reads properties.
   *
   * @throws ConfigException if a property is missing or invalid
   */
  public OptimizerConfig(Map<String, ?> properties) {
    super(DEFINITION, OWN, properties);
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
    return checked(() -> {
      ModelCatalogue catalogue =
          file == null
              ? ModelCatalogue.builtIn()
              : ModelCatalogue.builtIn().extendedBy(Path.of(file));
      embedders().forEach(catalogue::get);
      return catalogue;
    });
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
    return Objects.requireNonNull(Keyword.find(PolicyName.class, getString(POLICY)));
  }

  List<PriorSource> priors() {
    return getList(PRIORS).stream()
        .map(label -> Objects.requireNonNull(Keyword.find(PriorSource.class, label)))
        .toList();
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

package dev.abacus.optimizer.api;

import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.sampling.prior.PriorSource;
import dev.abacus.optimizer.search.rule.implementation.SearchSpace;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.monitor.HttpListener;
import dev.abacus.schemas.program.io.NameSuggestions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
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
  public static final String STATUS_INTERVAL_MS = "optimizer.status.interval.ms";

  public static final String SESSION_TIMEOUT_MS = "optimizer.session.timeout.ms";
  public static final String STREAM_EXAMPLES = "optimizer.stream.examples";
  public static final String STREAM_EXAMPLES_AFTER_MS = "optimizer.stream.examples.after.ms";
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

  private static final int SHORTEST_TOKEN = 16;

  private static final ConfigDef.Validator PAGE_TOKEN_CHECK =
      (name, value) -> {
        if (value instanceof Password token && token.value().length() < SHORTEST_TOKEN) {
          throw new ConfigException(name + " must have at least 16 characters");
        }
      };

  private static final ConfigDef DEFINITION =
      new ConfigDef()
          .define(
              BOOTSTRAP_SERVERS,
              ConfigDef.Type.LIST,
              ConfigDef.NO_DEFAULT_VALUE,
              ConfigDef.ValidList.anyNonDuplicateValues(false, false),
              Importance.HIGH,
              "Kafka bootstrap servers, as host:port, separated by commas.")
          .define(
              KafkaNames.SETTING,
              ConfigDef.Type.STRING,
              "",
              Importance.MEDIUM,
              KafkaNames.DOCUMENTATION)
          .define(
              SEED,
              ConfigDef.Type.LONG,
              42L,
              Importance.MEDIUM,
              "Seed of the random numbers of the search. The same observations and seed give "
                  + "the same plan.")
          .define(
              POLICY,
              ConfigDef.Type.STRING,
              PolicyName.DEFAULT.label(),
              ConfigDef.ValidString.in(PolicyName.labels()),
              Importance.MEDIUM,
              "Sampling policy: surrogate (a model shared by all implementations), paper (the "
                  + "bandit of the paper) or random.")
          .define(
              PRIORS,
              ConfigDef.Type.LIST,
              PriorSource.LEARNT.label(),
              ConfigDef.ValidList.in(PriorSource.labels()),
              Importance.MEDIUM,
              "Sources of priors for programs without user priors, the most trusted first: "
                  + "learnt (measurements of other programs on the cluster), naive (published model "
                  + "data); empty for none.")
          .define(
              FRONTIER_SIZE,
              ConfigDef.Type.INT,
              BanditSampling.FRONTIER_SIZE,
              Range.atLeast(1),
              Importance.MEDIUM,
              "Number of implementations of an operator that are compared at a time (k of the "
                  + "paper).")
          .define(
              NEW_ARM_EXAMPLES,
              ConfigDef.Type.INT,
              BanditSampling.NEW_ARM_EXAMPLES,
              Range.atLeast(1),
              Importance.MEDIUM,
              "Number of validation examples for a newly drawn implementation (j of the paper).")
          .define(
              SAMPLE_PATIENCE_MS,
              ConfigDef.Type.LONG,
              LoopSettings.DEFAULT_PATIENCE.toMillis(),
              Range.atLeast(1),
              Importance.LOW,
              "Time to wait for a sample after the last result of its wave, in milliseconds; "
                  + "then the sample is abandoned.")
          .define(
              PIPELINED,
              ConfigDef.Type.BOOLEAN,
              true,
              Importance.LOW,
              "Sample all operators concurrently. If false, an operator is sampled after its "
                  + "predecessors are done, as in the paper.")
          .define(
              CONFIRMATION_SHARE,
              ConfigDef.Type.DOUBLE,
              Confirmation.SHARE,
              Range.between(0, 0.9),
              Importance.MEDIUM,
              "Fraction of the sample budget that measures the best plans on examples that the "
                  + "search does not use; 0 for no such measurement.")
          .define(
              BOUND_PROBABILITY,
              ConfigDef.Type.DOUBLE,
              Confirmation.BOUND_PROBABILITY,
              Range.between(0.5, 0.999),
              Importance.MEDIUM,
              "Probability with which each bound of an objective has to hold.")
          .define(
              QUALITY_TOLERANCE,
              ConfigDef.Type.DOUBLE,
              Confirmation.TOLERANCE,
              Range.between(0, 1),
              Importance.MEDIUM,
              "Difference in quality up to which the cheaper of two plans is chosen.")
          .define(
              EMBEDDERS,
              ConfigDef.Type.LIST,
              SearchSpace.DEFAULT_EMBEDDERS,
              Importance.LOW,
              "Embedding models, by catalogue name, that implementations may use.")
          .define(
              MODEL_CATALOGUE,
              ConfigDef.Type.STRING,
              null,
              Importance.MEDIUM,
              "JSON file that adds models to the catalogue or replaces models by name.")
          .define(
              REPLICATION_FACTOR,
              ConfigDef.Type.SHORT,
              (short) -1,
              Importance.MEDIUM,
              "Replication factor of topics that the optimizer creates; -1 for the brokers' "
                  + "default.")
          .define(
              SAMPLE_PARTITIONS,
              ConfigDef.Type.INT,
              -1,
              Importance.LOW,
              "Number of partitions of the samples topic, if the optimizer creates it; -1 for "
                  + "the number of the program's source.")
          .define(
              SESSION_TIMEOUT_MS,
              ConfigDef.Type.LONG,
              10_000L,
              Range.atLeast(1000),
              Importance.MEDIUM,
              "Time within which another optimizer replaces a leader that died, in "
                  + "milliseconds. Below 8600, Kafka's minimum session timeout of 6000 applies.")
          .define(
              STREAM_EXAMPLES,
              ConfigDef.Type.INT,
              40,
              Range.atLeast(0),
              Importance.MEDIUM,
              "Number of source documents to sample a program without validation examples on, "
                  + "scored by the judge; 0 for none.")
          .define(
              STREAM_EXAMPLES_AFTER_MS,
              ConfigDef.Type.LONG,
              15_000L,
              Range.atLeast(0),
              Importance.LOW,
              "Time to wait for validation examples before source documents are used, in "
                  + "milliseconds.")
          .define(
              GOVERNOR_DWELL_MS,
              ConfigDef.Type.LONG,
              GovernorSettings.DEFAULTS.dwell().toMillis(),
              Range.atLeast(0),
              Importance.LOW,
              "Minimum time between two moves of the governor, except for outages, in "
                  + "milliseconds.")
          .define(
              GOVERNOR_COOL_OFF_MS,
              ConfigDef.Type.LONG,
              GovernorSettings.DEFAULTS.coolOff().toMillis(),
              Range.atLeast(1),
              Importance.LOW,
              "Time for which the governor avoids a model whose calls fail, in milliseconds; it "
                  + "doubles with each further failure.")
          .define(
              FEEDBACK_CORRECTIONS,
              ConfigDef.Type.INT,
              GovernorSettings.DEFAULTS.corrections(),
              Range.atLeast(1),
              Importance.LOW,
              "Corrected results after which a new round of sampling starts.")
          .define(
              HTTP_LISTENER,
              ConfigDef.Type.STRING,
              "",
              HttpListener.VALIDATOR,
              Importance.MEDIUM,
              HttpListener.DOCUMENTATION)
          .define(
              PAGE_LISTENER,
              ConfigDef.Type.STRING,
              "",
              HttpListener.VALIDATOR,
              Importance.MEDIUM,
              "Address (HOST:PORT) that serves the web page of all programs; port 0 for any free "
                  + "port, which the log names. On a loopback address everyone on the machine can "
                  + "read; on another address reading needs the token. Empty for no page.")
          .define(
              PAGE_TOKEN,
              ConfigDef.Type.PASSWORD,
              null,
              PAGE_TOKEN_CHECK,
              Importance.MEDIUM,
              "Token that changes on the page need, at least 16 characters; by default a random "
                  + "one, which the log names.")
          .define(
              STATUS_INTERVAL_MS,
              ConfigDef.Type.LONG,
              10_000L,
              Range.atLeast(100),
              Importance.LOW,
              "Interval at which the state of every search is reported even if it has not "
                  + "changed, in milliseconds.");

  /**
   * Reads properties.
   *
   * @throws ConfigException if a property is missing or invalid
   */
  public OptimizerConfig(Map<String, ?> properties) {
    super(DEFINITION, properties, false);
    properties.keySet().stream()
        .filter(name -> name.startsWith(OWN) && !DEFINITION.names().contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw new ConfigException(
              NameSuggestions.unknown(
                  "setting", name, DEFINITION.names().stream().sorted().toList()));
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
    return new ConfigDef(DEFINITION);
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

  /** The token of the page; null for a random one. */
  @Nullable String pageToken() {
    Password token = getPassword(PAGE_TOKEN);
    return token == null ? null : token.value();
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

  Duration statusInterval() {
    return Duration.ofMillis(getLong(STATUS_INTERVAL_MS));
  }

  Duration millis(String name) {
    return Duration.ofMillis(getLong(name));
  }

  GovernorSettings governor() {
    return new GovernorSettings(
        millis(GOVERNOR_DWELL_MS),
        millis(GOVERNOR_COOL_OFF_MS),
        GovernorSettings.DEFAULTS.block(),
        getInt(FEEDBACK_CORRECTIONS));
  }

  Confirmation confirmation() {
    return new Confirmation(
        true,
        getDouble(CONFIRMATION_SHARE),
        getDouble(BOUND_PROBABILITY),
        getDouble(QUALITY_TOLERANCE));
  }

  Duration samplePatience() {
    return Duration.ofMillis(getLong(SAMPLE_PATIENCE_MS));
  }
}

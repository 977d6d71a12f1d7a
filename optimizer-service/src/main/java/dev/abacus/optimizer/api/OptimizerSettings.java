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
import dev.abacus.optimizer.page.http.Visitor;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.sampling.prior.PriorSource;
import dev.abacus.optimizer.search.rule.implementation.SearchSpace;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.monitor.HttpListener;
import dev.abacus.schemas.setting.SettingTable;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/** The settings of {@link OptimizerConfig}: types, defaults, valid values and documentation. */
final class OptimizerSettings {

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

  static final ConfigDef DEFINITION =
      new SettingTable()
          .with(
              setting(
                  OptimizerConfig.BOOTSTRAP_SERVERS,
                  LIST,
                  ConfigDef.NO_DEFAULT_VALUE,
                  ConfigDef.ValidList.anyNonDuplicateValues(false, false)),
              "Kafka bootstrap servers, as host:port, separated by commas.")
          .with(setting(KafkaNames.SETTING, STRING, ""), KafkaNames.DOCUMENTATION)
          .with(
              setting(OptimizerConfig.SEED, LONG, 42L),
              "Seed of the random numbers of the search. The same observations and seed give "
                  + "the same plan.")
          .with(
              setting(
                  OptimizerConfig.POLICY,
                  STRING,
                  PolicyName.DEFAULT.label(),
                  ConfigDef.ValidString.in(PolicyName.labels())),
              "Sampling policy: surrogate (a model shared by all implementations), paper (the "
                  + "bandit of the paper) or random.")
          .with(
              setting(
                  OptimizerConfig.PRIORS,
                  LIST,
                  PriorSource.LEARNT.label(),
                  ConfigDef.ValidList.in(PriorSource.labels())),
              "Sources of priors for programs without user priors, the most trusted first: "
                  + "learnt (measurements of other programs on the cluster), naive (published model "
                  + "data); empty for none.")
          .with(
              setting(OptimizerConfig.FRONTIER_SIZE, INT, BanditSampling.FRONTIER_SIZE, atLeast(1)),
              "Number of implementations of an operator that are compared at a time (k of the "
                  + "paper).")
          .with(
              setting(
                  OptimizerConfig.NEW_ARM_EXAMPLES,
                  INT,
                  BanditSampling.NEW_ARM_EXAMPLES,
                  atLeast(1)),
              "Number of validation examples for a newly drawn implementation (j of the paper).")
          .with(
              setting(
                  OptimizerConfig.SAMPLE_PATIENCE_MS,
                  LONG,
                  LoopSettings.DEFAULT_PATIENCE.toMillis(),
                  atLeast(1)),
              "Time to wait for a sample after the last result of its wave, in milliseconds; "
                  + "then the sample is abandoned.")
          .with(
              setting(OptimizerConfig.PIPELINED, BOOLEAN, true),
              "Sample all operators concurrently. If false, an operator is sampled after its "
                  + "predecessors are done, as in the paper.")
          .with(
              setting(
                  OptimizerConfig.CONFIRMATION_SHARE, DOUBLE, Confirmation.SHARE, between(0, 0.9)),
              "Fraction of the sample budget that measures the best plans on examples that the "
                  + "search does not use; 0 for no such measurement.")
          .with(
              setting(
                  OptimizerConfig.BOUND_PROBABILITY,
                  DOUBLE,
                  Confirmation.BOUND_PROBABILITY,
                  between(0.5, 0.999)),
              "Probability with which each bound of an objective has to hold.")
          .with(
              setting(
                  OptimizerConfig.QUALITY_TOLERANCE, DOUBLE, Confirmation.TOLERANCE, between(0, 1)),
              "Difference in quality up to which the cheaper of two plans is chosen.")
          .with(
              setting(OptimizerConfig.EMBEDDERS, LIST, SearchSpace.DEFAULT_EMBEDDERS),
              "Embedding models, by catalogue name, that implementations may use.")
          .with(
              setting(OptimizerConfig.MODEL_CATALOGUE, STRING, null),
              "JSON file that adds models to the catalogue or replaces models by name.")
          .with(
              setting(OptimizerConfig.REPLICATION_FACTOR, SHORT, (short) -1),
              "Replication factor of topics that the optimizer creates; -1 for the brokers' "
                  + "default.")
          .with(
              setting(OptimizerConfig.SAMPLE_PARTITIONS, INT, -1),
              "Number of partitions of the samples topic, if the optimizer creates it; -1 for "
                  + "the number of the program's source.")
          .with(
              setting(OptimizerConfig.SESSION_TIMEOUT_MS, LONG, 10_000L, atLeast(1000)),
              "Time within which another optimizer replaces a leader that died, in "
                  + "milliseconds. Below 8600, Kafka's minimum session timeout of 6000 applies.")
          .with(
              setting(OptimizerConfig.STREAM_EXAMPLES, INT, 40, atLeast(0)),
              "Number of source documents to sample a program without validation examples on, "
                  + "scored by the judge; 0 for none.")
          .with(
              setting(OptimizerConfig.STREAM_EXAMPLES_AFTER_MS, LONG, 15_000L, atLeast(0)),
              "Time to wait for validation examples before source documents are used, in "
                  + "milliseconds.")
          .with(
              setting(OptimizerConfig.FEW_SHOT, BOOLEAN, true),
              "Whether plans may contain labelled examples for prompts. If false, no program may "
                  + "show any (few-shot), and plans with examples are refused; set abacus.few.shot "
                  + "of the workers too.")
          .with(
              setting(
                  OptimizerConfig.GOVERNOR_DWELL_MS,
                  LONG,
                  GovernorSettings.DEFAULTS.dwell().toMillis(),
                  atLeast(0)),
              "Minimum time between two moves of the governor, except for outages, in "
                  + "milliseconds.")
          .with(
              setting(
                  OptimizerConfig.GOVERNOR_COOL_OFF_MS,
                  LONG,
                  GovernorSettings.DEFAULTS.coolOff().toMillis(),
                  atLeast(1)),
              "Time for which the governor avoids a model whose calls fail, in milliseconds; it "
                  + "doubles with each further failure.")
          .with(
              setting(
                  OptimizerConfig.FEEDBACK_CORRECTIONS,
                  INT,
                  GovernorSettings.DEFAULTS.corrections(),
                  atLeast(1)),
              "Corrected results after which a new round of sampling starts.")
          .with(
              setting(OptimizerConfig.HTTP_LISTENER, STRING, "", HttpListener.VALIDATOR),
              HttpListener.DOCUMENTATION)
          .with(
              setting(OptimizerConfig.PAGE_LISTENER, STRING, "", HttpListener.VALIDATOR),
              "Address (HOST:PORT) that serves the web page of all programs; port 0 for any free "
                  + "port, which the log names. On a loopback address everyone on the machine can "
                  + "read; on another address reading needs a token. Empty for no page.")
          .with(
              setting(OptimizerConfig.PAGE_TOKEN, PASSWORD, null, PAGE_TOKEN_CHECK),
              "Token that changes on the page need, at least 16 characters; by default a random "
                  + "one, which the log names.")
          .with(
              setting(OptimizerConfig.PAGE_USERS, PASSWORD, null, USERS_CHECK),
              "Who may sign in to the page: NAME:read:TOKEN or NAME:steer:TOKEN, separated by "
                  + "commas; `read` changes nothing. Names are in the list of changes.")
          .with(
              setting(OptimizerConfig.PAGE_KEY_STORE, STRING, ""),
              "Key store (PKCS12 or JKS) with the certificate of the page, which then speaks "
                  + "HTTPS. Empty for HTTP.")
          .with(
              setting(OptimizerConfig.PAGE_KEY_STORE_PASSWORD, PASSWORD, null),
              "Password of the page's key store.")
          .with(
              setting(OptimizerConfig.STATUS_INTERVAL_MS, LONG, 10_000L, atLeast(100)),
              "Interval at which the state of every search is reported even if it has not "
                  + "changed, in milliseconds.")
          .definition();

  private OptimizerSettings() {}
}

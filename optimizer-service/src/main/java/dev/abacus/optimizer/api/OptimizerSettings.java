package dev.abacus.optimizer.api;

import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.page.http.Visitor;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.sampling.prior.PriorSource;
import dev.abacus.optimizer.search.rule.implementation.SearchSpace;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.monitor.HttpListener;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
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
      new ConfigDef()
          .define(
              OptimizerConfig.BOOTSTRAP_SERVERS,
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
              OptimizerConfig.SEED,
              ConfigDef.Type.LONG,
              42L,
              Importance.MEDIUM,
              "Seed of the random numbers of the search. The same observations and seed give "
                  + "the same plan.")
          .define(
              OptimizerConfig.POLICY,
              ConfigDef.Type.STRING,
              PolicyName.DEFAULT.label(),
              ConfigDef.ValidString.in(PolicyName.labels()),
              Importance.MEDIUM,
              "Sampling policy: surrogate (a model shared by all implementations), paper (the "
                  + "bandit of the paper) or random.")
          .define(
              OptimizerConfig.PRIORS,
              ConfigDef.Type.LIST,
              PriorSource.LEARNT.label(),
              ConfigDef.ValidList.in(PriorSource.labels()),
              Importance.MEDIUM,
              "Sources of priors for programs without user priors, the most trusted first: "
                  + "learnt (measurements of other programs on the cluster), naive (published model "
                  + "data); empty for none.")
          .define(
              OptimizerConfig.FRONTIER_SIZE,
              ConfigDef.Type.INT,
              BanditSampling.FRONTIER_SIZE,
              Range.atLeast(1),
              Importance.MEDIUM,
              "Number of implementations of an operator that are compared at a time (k of the "
                  + "paper).")
          .define(
              OptimizerConfig.NEW_ARM_EXAMPLES,
              ConfigDef.Type.INT,
              BanditSampling.NEW_ARM_EXAMPLES,
              Range.atLeast(1),
              Importance.MEDIUM,
              "Number of validation examples for a newly drawn implementation (j of the paper).")
          .define(
              OptimizerConfig.SAMPLE_PATIENCE_MS,
              ConfigDef.Type.LONG,
              LoopSettings.DEFAULT_PATIENCE.toMillis(),
              Range.atLeast(1),
              Importance.LOW,
              "Time to wait for a sample after the last result of its wave, in milliseconds; "
                  + "then the sample is abandoned.")
          .define(
              OptimizerConfig.PIPELINED,
              ConfigDef.Type.BOOLEAN,
              true,
              Importance.LOW,
              "Sample all operators concurrently. If false, an operator is sampled after its "
                  + "predecessors are done, as in the paper.")
          .define(
              OptimizerConfig.CONFIRMATION_SHARE,
              ConfigDef.Type.DOUBLE,
              Confirmation.SHARE,
              Range.between(0, 0.9),
              Importance.MEDIUM,
              "Fraction of the sample budget that measures the best plans on examples that the "
                  + "search does not use; 0 for no such measurement.")
          .define(
              OptimizerConfig.BOUND_PROBABILITY,
              ConfigDef.Type.DOUBLE,
              Confirmation.BOUND_PROBABILITY,
              Range.between(0.5, 0.999),
              Importance.MEDIUM,
              "Probability with which each bound of an objective has to hold.")
          .define(
              OptimizerConfig.QUALITY_TOLERANCE,
              ConfigDef.Type.DOUBLE,
              Confirmation.TOLERANCE,
              Range.between(0, 1),
              Importance.MEDIUM,
              "Difference in quality up to which the cheaper of two plans is chosen.")
          .define(
              OptimizerConfig.EMBEDDERS,
              ConfigDef.Type.LIST,
              SearchSpace.DEFAULT_EMBEDDERS,
              Importance.LOW,
              "Embedding models, by catalogue name, that implementations may use.")
          .define(
              OptimizerConfig.MODEL_CATALOGUE,
              ConfigDef.Type.STRING,
              null,
              Importance.MEDIUM,
              "JSON file that adds models to the catalogue or replaces models by name.")
          .define(
              OptimizerConfig.REPLICATION_FACTOR,
              ConfigDef.Type.SHORT,
              (short) -1,
              Importance.MEDIUM,
              "Replication factor of topics that the optimizer creates; -1 for the brokers' "
                  + "default.")
          .define(
              OptimizerConfig.SAMPLE_PARTITIONS,
              ConfigDef.Type.INT,
              -1,
              Importance.LOW,
              "Number of partitions of the samples topic, if the optimizer creates it; -1 for "
                  + "the number of the program's source.")
          .define(
              OptimizerConfig.SESSION_TIMEOUT_MS,
              ConfigDef.Type.LONG,
              10_000L,
              Range.atLeast(1000),
              Importance.MEDIUM,
              "Time within which another optimizer replaces a leader that died, in "
                  + "milliseconds. Below 8600, Kafka's minimum session timeout of 6000 applies.")
          .define(
              OptimizerConfig.STREAM_EXAMPLES,
              ConfigDef.Type.INT,
              40,
              Range.atLeast(0),
              Importance.MEDIUM,
              "Number of source documents to sample a program without validation examples on, "
                  + "scored by the judge; 0 for none.")
          .define(
              OptimizerConfig.STREAM_EXAMPLES_AFTER_MS,
              ConfigDef.Type.LONG,
              15_000L,
              Range.atLeast(0),
              Importance.LOW,
              "Time to wait for validation examples before source documents are used, in "
                  + "milliseconds.")
          .define(
              OptimizerConfig.FEW_SHOT,
              ConfigDef.Type.BOOLEAN,
              true,
              Importance.MEDIUM,
              "Whether plans may contain labelled examples for prompts. If false, no program may "
                  + "show any (few-shot), and plans with examples are refused; set abacus.few.shot "
                  + "of the workers too.")
          .define(
              OptimizerConfig.GOVERNOR_DWELL_MS,
              ConfigDef.Type.LONG,
              GovernorSettings.DEFAULTS.dwell().toMillis(),
              Range.atLeast(0),
              Importance.LOW,
              "Minimum time between two moves of the governor, except for outages, in "
                  + "milliseconds.")
          .define(
              OptimizerConfig.GOVERNOR_COOL_OFF_MS,
              ConfigDef.Type.LONG,
              GovernorSettings.DEFAULTS.coolOff().toMillis(),
              Range.atLeast(1),
              Importance.LOW,
              "Time for which the governor avoids a model whose calls fail, in milliseconds; it "
                  + "doubles with each further failure.")
          .define(
              OptimizerConfig.FEEDBACK_CORRECTIONS,
              ConfigDef.Type.INT,
              GovernorSettings.DEFAULTS.corrections(),
              Range.atLeast(1),
              Importance.LOW,
              "Corrected results after which a new round of sampling starts.")
          .define(
              OptimizerConfig.HTTP_LISTENER,
              ConfigDef.Type.STRING,
              "",
              HttpListener.VALIDATOR,
              Importance.MEDIUM,
              HttpListener.DOCUMENTATION)
          .define(
              OptimizerConfig.PAGE_LISTENER,
              ConfigDef.Type.STRING,
              "",
              HttpListener.VALIDATOR,
              Importance.MEDIUM,
              "Address (HOST:PORT) that serves the web page of all programs; port 0 for any free "
                  + "port, which the log names. On a loopback address everyone on the machine can "
                  + "read; on another address reading needs a token. Empty for no page.")
          .define(
              OptimizerConfig.PAGE_TOKEN,
              ConfigDef.Type.PASSWORD,
              null,
              PAGE_TOKEN_CHECK,
              Importance.MEDIUM,
              "Token that changes on the page need, at least 16 characters; by default a random "
                  + "one, which the log names.")
          .define(
              OptimizerConfig.PAGE_USERS,
              ConfigDef.Type.PASSWORD,
              null,
              USERS_CHECK,
              Importance.MEDIUM,
              "Who may sign in to the page: NAME:read:TOKEN or NAME:steer:TOKEN, separated by "
                  + "commas; `read` changes nothing. Names are in the list of changes.")
          .define(
              OptimizerConfig.PAGE_KEY_STORE,
              ConfigDef.Type.STRING,
              "",
              Importance.MEDIUM,
              "Key store (PKCS12 or JKS) with the certificate of the page, which then speaks "
                  + "HTTPS. Empty for HTTP.")
          .define(
              OptimizerConfig.PAGE_KEY_STORE_PASSWORD,
              ConfigDef.Type.PASSWORD,
              null,
              Importance.MEDIUM,
              "Password of the page's key store.")
          .define(
              OptimizerConfig.STATUS_INTERVAL_MS,
              ConfigDef.Type.LONG,
              10_000L,
              Range.atLeast(100),
              Importance.LOW,
              "Interval at which the state of every search is reported even if it has not "
                  + "changed, in milliseconds.");

  private OptimizerSettings() {}
}

package dev.abacus.topology;

import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.monitor.HttpListener;
import dev.abacus.schemas.program.io.NameSuggestions;
import dev.abacus.schemas.secret.Secret;
import dev.abacus.topology.answer.AnswerStore;
import dev.abacus.topology.journey.JourneySettings;
import dev.abacus.topology.model.admission.AdmissionController;
import dev.abacus.topology.model.admission.CallLimits;
import dev.abacus.topology.model.media.MediaPolicy;
import dev.abacus.topology.runtime.StreamsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.streams.GroupProtocol;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one data-plane instance. Any property of Kafka's clients, of Kafka Streams and of the
 * Avro serde may stand beside them and is passed on.
 */
public final class WorkerConfig extends AbstractConfig {

  public static final String INSTANCE_ID = "abacus.instance.id";
  public static final String STATE_DIR = "state.dir";
  public static final String IN_FLIGHT = "abacus.in.flight";
  public static final String DOCUMENT_MAX_BYTES = "abacus.document.max.bytes";
  public static final String MODEL_ENDPOINT = "abacus.model.endpoint";
  public static final String MODEL_KEY = "abacus.model.key";
  public static final String MODEL_CATALOGUE = "abacus.model.catalogue";
  public static final String MODEL_ATTEMPTS = "abacus.model.attempts";
  public static final String MODEL_RETIRED = "abacus.model.retired";
  public static final String KEY_REQUESTS_PER_MINUTE = "abacus.key.requests.per.minute";
  public static final String KEY_TOKENS_PER_MINUTE = "abacus.key.tokens.per.minute";
  public static final String MODEL_LIMITS = "abacus.model.limits";
  public static final String ANSWERS_MAX_AGE_MS = "abacus.answers.max.age.ms";
  public static final String ANSWERS_MAX_BYTES = "abacus.answers.max.bytes";
  public static final String ANSWERS_MAX_TEMPERATURE = "abacus.answers.max.temperature";
  public static final String REFERENCE_EMBEDDERS = "abacus.reference.embedders";
  public static final String FEW_SHOT = "abacus.few.shot";
  public static final String MEDIA_HOSTS = "abacus.media.hosts";
  public static final String MEDIA_PAGES = "abacus.media.pages";
  public static final String HTTP_LISTENER = "abacus.http.listener";
  public static final String STATUS_INTERVAL_MS = "abacus.status.interval.ms";
  public static final String SLEEP_AFTER_MS = "abacus.sleep.after.ms";
  public static final String REPLICATION_FACTOR = "abacus.replication.factor";
  public static final String REGISTRY_URL = "schema.registry.url";
  public static final String AVRO_DESERIALIZER = "value.deserializer";
  public static final String AVRO_SERIALIZER = "value.serializer";

  private static final String OWN = "abacus.";

  /** A new record ends the wait of a broker at once, so it costs an idle worker less to wait. */
  private static final int FETCH_WAIT_MS = 2_000;

  private static final List<String> MAIN_CONSUMER_PREFIXES =
      List.of("", StreamsConfig.CONSUMER_PREFIX, StreamsConfig.MAIN_CONSUMER_PREFIX);
  private static final Pattern MODEL_LIMIT =
      Pattern.compile("([^=]+)=(?:([1-9]\\d{0,14})?)(?:/([1-9]\\d{0,14})?)?");

  /** Names, defaults and meanings of the settings that are this product's own. */
  public static final ConfigDef DEFINITION =
      JourneySettings.define(new ConfigDef())
          .define(
              CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
              ConfigDef.Type.LIST,
              ConfigDef.Importance.HIGH,
              "Kafka bootstrap servers, as host:port, separated by commas.")
          .define(
              INSTANCE_ID,
              ConfigDef.Type.STRING,
              null,
              ConfigDef.Importance.MEDIUM,
              "Name of this instance, unique in the cluster; a random one if it is not set.")
          .define(
              KafkaNames.SETTING,
              ConfigDef.Type.STRING,
              "",
              ConfigDef.Importance.MEDIUM,
              KafkaNames.DOCUMENTATION)
          .define(
              STATE_DIR,
              ConfigDef.Type.STRING,
              "data/streams",
              ConfigDef.Importance.HIGH,
              "Directory of the local state; keep it across restarts, one per instance.")
          .define(
              IN_FLIGHT,
              ConfigDef.Type.INT,
              200,
              ConfigDef.Range.atLeast(1),
              ConfigDef.Importance.HIGH,
              "Maximum number of documents and samples in flight in this instance, over all "
                  + "programs. A document that waits for a model does not count; when it goes on, "
                  + "its calls may come on top of those of the documents that took its place.")
          .define(
              DOCUMENT_MAX_BYTES,
              ConfigDef.Type.INT,
              1024 * 1024,
              ConfigDef.Range.between(1024, 4 * 1024 * 1024),
              ConfigDef.Importance.MEDIUM,
              "Maximum size of a document in bytes, including key and headers; a larger "
                  + "document becomes a dead letter.")
          .define(
              MODEL_ENDPOINT,
              ConfigDef.Type.STRING,
              "https://api.openai.com/v1",
              ConfigDef.Importance.HIGH,
              "Base URL of the OpenAI-compatible API for models without an endpoint in their "
                  + "card.")
          .define(
              MODEL_KEY,
              ConfigDef.Type.PASSWORD,
              null,
              ConfigDef.Importance.HIGH,
              "API key of that endpoint; if not set, requests carry no key.")
          .define(
              MODEL_CATALOGUE,
              ConfigDef.Type.STRING,
              null,
              ConfigDef.Importance.MEDIUM,
              "JSON file that adds models to the catalogue or replaces models by name.")
          .define(
              MODEL_ATTEMPTS,
              ConfigDef.Type.INT,
              6,
              ConfigDef.Range.atLeast(1),
              ConfigDef.Importance.MEDIUM,
              "Maximum number of attempts of a model call, including the first, if its answers are "
                  + "malformed or its file cannot be fetched; then the document becomes a dead "
                  + "letter. Failures of the provider, such as rate limits, are no attempts: the "
                  + "document waits.")
          .define(
              KEY_REQUESTS_PER_MINUTE,
              ConfigDef.Type.LONG,
              null,
              ConfigDef.Importance.MEDIUM,
              "Maximum requests per minute of each API key, over all models and workers; if not "
                  + "set, only the limits of models apply.")
          .define(
              KEY_TOKENS_PER_MINUTE,
              ConfigDef.Type.LONG,
              null,
              ConfigDef.Importance.MEDIUM,
              "Maximum input plus output tokens per minute of each API key, over all models and "
                  + "workers.")
          .define(
              MODEL_LIMITS,
              ConfigDef.Type.LIST,
              "",
              ConfigDef.Importance.MEDIUM,
              "Maximum requests and tokens per minute of models, over all workers, as "
                  + "MODEL=REQUESTS/TOKENS separated by commas; either number may be missing "
                  + "(gpt-4o=500/30000,llama=60/). The lowest of this limit, the limit in the "
                  + "catalogue and the limit in the endpoint's headers applies.")
          .define(
              MODEL_RETIRED,
              ConfigDef.Type.LIST,
              "",
              ConfigDef.Importance.LOW,
              "Models that will not be available again. Documents of an older plan that need one "
                  + "become dead letters, which `dlq replay` sends through the active plan.")
          .define(
              ANSWERS_MAX_AGE_MS,
              ConfigDef.Type.LONG,
              0L,
              ConfigDef.Range.between(0, TopicSpec.LONGEST_ANSWER_AGE.toMillis()),
              ConfigDef.Importance.MEDIUM,
              "Age up to which the answer to an identical request is used again instead of a call, "
                  + "for all programs of the cluster, in milliseconds; at most 7 days. 0 turns the "
                  + "answer store off.")
          .define(
              ANSWERS_MAX_BYTES,
              ConfigDef.Type.LONG,
              64L * 1024 * 1024,
              ConfigDef.Range.atLeast(1024),
              ConfigDef.Importance.LOW,
              "Maximum size of the answers that this instance keeps in memory, in bytes; the least "
                  + "used leave first.")
          .define(
              ANSWERS_MAX_TEMPERATURE,
              ConfigDef.Type.DOUBLE,
              0.0,
              ConfigDef.Range.between(0, 2),
              ConfigDef.Importance.LOW,
              "Highest temperature of requests whose answers are used again; with more than 0, "
                  + "several answers that a technique draws at one temperature may be one.")
          .define(
              REFERENCE_EMBEDDERS,
              ConfigDef.Type.LIST,
              "all-minilm-l6-v2",
              ConfigDef.Importance.MEDIUM,
              "Embedding models, by catalogue name, for the items of references.")
          .define(
              FEW_SHOT,
              ConfigDef.Type.BOOLEAN,
              true,
              ConfigDef.Importance.MEDIUM,
              "Whether prompts may show labelled examples (few-shot). If false, this instance "
                  + "leaves them out of all prompts, whatever a plan contains; set "
                  + "optimizer.few.shot too.")
          .define(
              MEDIA_HOSTS,
              ConfigDef.Type.LIST,
              "",
              ConfigDef.Importance.LOW,
              "Hosts from which this instance fetches images, PDFs and sounds itself, as host (default "
                  + "port) or host:port; files of others then fail their document. If empty, the "
                  + "endpoint fetches images from public hosts, and nobody fetches others.")
          .define(
              MEDIA_PAGES,
              ConfigDef.Type.INT,
              MediaPolicy.DEFAULT_PAGES,
              ConfigDef.Range.atLeast(1),
              ConfigDef.Importance.LOW,
              "Most pages of a PDF that are shown to models as images; a longer PDF fails its "
                  + "document.")
          .define(
              STATUS_INTERVAL_MS,
              ConfigDef.Type.LONG,
              2_000L,
              ConfigDef.Range.atLeast(100),
              ConfigDef.Importance.LOW,
              "Interval of status records, in milliseconds.")
          .define(
              SLEEP_AFTER_MS,
              ConfigDef.Type.LONG,
              0L,
              ConfigDef.Range.atLeast(0),
              ConfigDef.Importance.MEDIUM,
              "Time without documents and samples after which a program sleeps, in milliseconds, "
                  + "at least 5 s: it leaves its consumer groups until the next record arrives, "
                  + "whose result then takes some seconds longer. 0 keeps programs awake.")
          .define(
              REPLICATION_FACTOR,
              ConfigDef.Type.SHORT,
              (short) -1,
              ConfigDef.Importance.MEDIUM,
              "Replication factor of topics that this instance creates; -1 for the broker's "
                  + "default.")
          .define(
              HTTP_LISTENER,
              ConfigDef.Type.STRING,
              "",
              HttpListener.VALIDATOR,
              ConfigDef.Importance.MEDIUM,
              HttpListener.DOCUMENTATION)
          .define(
              REGISTRY_URL,
              ConfigDef.Type.STRING,
              null,
              ConfigDef.Importance.MEDIUM,
              "URL of a schema registry with Confluent's API; required for Avro only.");

  private final String instance;

  public WorkerConfig(Map<String, ?> properties) {
    super(DEFINITION, properties, false);
    String named = getString(INSTANCE_ID);
    instance =
        named == null || named.isEmpty()
            ? "worker-" + UUID.randomUUID().toString().substring(0, 8)
            : named;
    properties.keySet().stream()
        .filter(name -> name.startsWith(OWN) && !DEFINITION.names().contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw new ConfigException(
              NameSuggestions.unknown(
                  "setting", name, DEFINITION.names().stream().sorted().toList()));
        });
    try {
      var _ = names();
      check(streams("check", Long.MAX_VALUE).toProperties());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }

  /** The streams group protocol (KIP-1071) has no static members; brokers place its standbys. */
  private static void check(Properties streams) {
    if (!GroupProtocol.STREAMS
        .name()
        .equalsIgnoreCase(String.valueOf(streams.get(StreamsConfig.GROUP_PROTOCOL_CONFIG)))) {
      return;
    }
    for (String prefix : MAIN_CONSUMER_PREFIXES) {
      String name = prefix + ConsumerConfig.GROUP_INSTANCE_ID_CONFIG;
      if (streams.containsKey(name)) {
        throw new ConfigException(
            name
                + " cannot be set with group.protocol=streams, which has no static membership:"
                + " omit one of the two");
      }
    }
    Object standbys = streams.getOrDefault(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, "0");
    if (!standbys.equals("0")) {
      throw new ConfigException(
          "num.standby.replicas has no effect with group.protocol=streams: set the group's"
              + " streams.num.standby.replicas with kafka-configs.sh");
    }
  }

  /**
   * The settings of a Kafka Streams application.
   *
   * @throws IllegalArgumentException if a property breaks exactly-once
   */
  StreamsSettings streams(String application, long cacheBytes) {
    Map<String, String> overrides = new HashMap<>();
    documentProperties().forEach((name, value) -> overrides.put(name, String.valueOf(value)));
    overrides.keySet().removeAll(DEFINITION.names());
    return new StreamsSettings(
        application,
        String.join(",", getList("bootstrap.servers")),
        Path.of(getString(STATE_DIR)).toString(),
        1,
        cacheBytes,
        getInt(DOCUMENT_MAX_BYTES),
        overrides);
  }

  /**
   * The properties for plain clients. They belong to no group, so the group protocol is only for
   * Kafka Streams; a plain consumer refuses {@code streams}.
   */
  public Map<String, Object> clientProperties() {
    Map<String, Object> properties = documentProperties();
    properties.remove(StreamsConfig.GROUP_PROTOCOL_CONFIG);
    return properties;
  }

  /** The properties for consumers of committed records without a group. */
  Map<String, Object> followerProperties() {
    Map<String, Object> properties = ByteClients.following(clientProperties());
    properties.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
    return properties;
  }

  private Map<String, Object> documentProperties() {
    Map<String, Object> properties = new HashMap<>(originals());
    // Serializers are set by code for the plane's own bytes; these two name those of documents.
    properties.remove(AVRO_DESERIALIZER);
    properties.remove(AVRO_SERIALIZER);
    return properties;
  }

  /**
   * How models may be called.
   *
   * @throws ConfigException if a limit is not a positive number
   */
  AdmissionController.Settings admission() {
    Map<String, CallLimits> models = new HashMap<>();
    for (String entry : getList(MODEL_LIMITS)) {
      Matcher parts = MODEL_LIMIT.matcher(entry.strip());
      if (!parts.matches() || (parts.group(2) == null && parts.group(3) == null)) {
        throw new ConfigException(MODEL_LIMITS, entry, "expected MODEL=REQUESTS/TOKENS");
      }
      models.put(parts.group(1), new CallLimits(number(parts.group(2)), number(parts.group(3))));
    }
    return new AdmissionController.Settings(
        Set.copyOf(getList(MODEL_RETIRED)),
        new CallLimits(getLong(KEY_REQUESTS_PER_MINUTE), getLong(KEY_TOKENS_PER_MINUTE)),
        models);
  }

  /** What the answer store keeps; null if there is none. */
  AnswerStore.@Nullable Settings answers() {
    long age = getLong(ANSWERS_MAX_AGE_MS);
    return age == 0
        ? null
        : new AnswerStore.Settings(
            Duration.ofMillis(age), getLong(ANSWERS_MAX_BYTES), getDouble(ANSWERS_MAX_TEMPERATURE));
  }

  private static @Nullable Long number(@Nullable String digits) {
    return digits == null || digits.isEmpty() ? null : Long.valueOf(digits);
  }

  /** Names of topics, groups and applications. */
  public KafkaNames names() {
    return new KafkaNames(getString(KafkaNames.SETTING));
  }

  /** Name of this instance; a random one if none is set. */
  public String instanceId() {
    return instance;
  }

  /**
   * The API key, or null.
   *
   * @throws IllegalArgumentException if the key cannot be sent in a header
   */
  public @Nullable Secret modelKey() {
    Password key = getPassword(MODEL_KEY);
    return Secret.apiKey(
        "setting abacus.model.key or environment variable OPENAI_API_KEY",
        key == null ? null : key.value());
  }
}

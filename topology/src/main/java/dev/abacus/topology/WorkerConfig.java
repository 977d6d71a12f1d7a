package dev.abacus.topology;

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

import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.ProcessConfig;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.monitor.HttpListener;
import dev.abacus.schemas.secret.Secret;
import dev.abacus.schemas.setting.SettingTable;
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
public final class WorkerConfig extends ProcessConfig {

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

  /** Unlike {@link ConfigDef.Range}, it accepts null. */
  private static final ConfigDef.Validator POSITIVE =
      (name, value) -> {
        if (value != null) {
          atLeast(1).ensureValid(name, value);
        }
      };

  private static final Pattern MODEL_LIMIT =
      Pattern.compile("([^=]+)=(?:([1-9]\\d{0,14})?)(?:/([1-9]\\d{0,14})?)?");

  /** Names, defaults and meanings of the settings that are this product's own. */
  public static final ConfigDef DEFINITION =
      JourneySettings.addTo(new SettingTable())
          .with(
              setting(
                  CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, LIST, ConfigDef.NO_DEFAULT_VALUE),
              "Kafka bootstrap servers, as host:port, separated by commas.")
          .with(
              setting(INSTANCE_ID, STRING, null),
              "Name of this instance, unique in the cluster; a random one if it is not set.")
          .with(setting(KafkaNames.SETTING, STRING, ""), KafkaNames.DOCUMENTATION)
          .with(
              setting(STATE_DIR, STRING, "data/streams"),
              "Directory of the local state; keep it across restarts, one per instance.")
          .with(
              setting(IN_FLIGHT, INT, 200, atLeast(1)),
              "Maximum number of documents and samples in flight in this instance, over all "
                  + "programs. A document that waits for a model does not count; when it goes on, "
                  + "its calls may come on top of those of the documents that took its place.")
          .with(
              setting(DOCUMENT_MAX_BYTES, INT, 1024 * 1024, between(1024, 4 * 1024 * 1024)),
              "Maximum size of a document in bytes, including key and headers; a larger "
                  + "document becomes a dead letter.")
          .with(
              setting(MODEL_ENDPOINT, STRING, "https://api.openai.com/v1"),
              "Base URL of the OpenAI-compatible API for models without an endpoint in their "
                  + "card.")
          .with(
              setting(MODEL_KEY, PASSWORD, null),
              "API key of that endpoint; if not set, requests carry no key.")
          .with(
              setting(MODEL_CATALOGUE, STRING, null),
              "JSON file that adds models to the catalogue or replaces models by name.")
          .with(
              setting(MODEL_ATTEMPTS, INT, 6, atLeast(1)),
              "Maximum number of attempts of a model call, including the first, if its answers are "
                  + "malformed or its file cannot be fetched; then the document becomes a dead "
                  + "letter. Failures of the provider, such as rate limits, are no attempts: the "
                  + "document waits.")
          .with(
              setting(KEY_REQUESTS_PER_MINUTE, LONG, null, POSITIVE),
              "Maximum requests per minute of each API key, over all models and workers; if not "
                  + "set, only the limits of models apply.")
          .with(
              setting(KEY_TOKENS_PER_MINUTE, LONG, null, POSITIVE),
              "Maximum input plus output tokens per minute of each API key, over all models and "
                  + "workers.")
          .with(
              setting(MODEL_LIMITS, LIST, ""),
              "Maximum requests and tokens per minute of models, over all workers, as "
                  + "MODEL=REQUESTS/TOKENS separated by commas; either number may be missing "
                  + "(gpt-4o=500/30000,llama=60/). The lowest of this limit, the limit in the "
                  + "catalogue and the limit in the endpoint's headers applies.")
          .with(
              setting(MODEL_RETIRED, LIST, ""),
              "Models that will not be available again. Documents of an older plan that need one "
                  + "become dead letters, which `dlq replay` sends through the active plan.")
          .with(
              setting(
                  ANSWERS_MAX_AGE_MS,
                  LONG,
                  0L,
                  between(0, TopicSpec.LONGEST_ANSWER_AGE.toMillis())),
              "Age up to which the answer to an identical request is used again instead of a call, "
                  + "for all programs of the cluster, in milliseconds; at most 7 days. 0 turns the "
                  + "answer store off.")
          .with(
              setting(ANSWERS_MAX_BYTES, LONG, 64L * 1024 * 1024, atLeast(1024)),
              "Maximum size of the answers that this instance keeps in memory, in bytes; the least "
                  + "used leave first.")
          .with(
              setting(ANSWERS_MAX_TEMPERATURE, DOUBLE, 0.0, between(0, 2)),
              "Highest temperature of requests whose answers are used again; with more than 0, "
                  + "several answers that a technique draws at one temperature may be one.")
          .with(
              setting(REFERENCE_EMBEDDERS, LIST, "all-minilm-l6-v2"),
              "Embedding models, by catalogue name, for the items of references.")
          .with(
              setting(FEW_SHOT, BOOLEAN, true),
              "Whether prompts may show labelled examples (few-shot). If false, this instance "
                  + "leaves them out of all prompts, whatever a plan contains; set "
                  + "optimizer.few.shot too.")
          .with(
              setting(MEDIA_HOSTS, LIST, ""),
              "Hosts from which this instance fetches images, PDFs and sounds itself, as host (default "
                  + "port) or host:port; files of others then fail their document. If empty, the "
                  + "endpoint fetches images from public hosts, and nobody fetches others.")
          .with(
              setting(MEDIA_PAGES, INT, MediaPolicy.DEFAULT_PAGES, atLeast(1)),
              "Most pages of a PDF that are shown to models as images; a longer PDF fails its "
                  + "document.")
          .with(
              setting(STATUS_INTERVAL_MS, LONG, 2_000L, atLeast(100)),
              "Interval of status records, in milliseconds.")
          .with(
              setting(SLEEP_AFTER_MS, LONG, 0L, atLeast(0)),
              "Time without documents and samples after which a program sleeps, in milliseconds, "
                  + "at least 5 s: it leaves its consumer groups until the next record arrives, "
                  + "whose result then takes some seconds longer. 0 keeps programs awake.")
          .with(
              setting(REPLICATION_FACTOR, SHORT, (short) -1),
              "Replication factor of topics that this instance creates; -1 for the broker's "
                  + "default.")
          .with(
              setting(HTTP_LISTENER, STRING, "", HttpListener.VALIDATOR),
              HttpListener.DOCUMENTATION)
          .with(
              setting(REGISTRY_URL, STRING, null),
              "URL of a schema registry with Confluent's API; required for Avro only.")
          .definition();

  private final String instance;

  public WorkerConfig(Map<String, ?> properties) {
    super(DEFINITION, OWN, properties);
    String named = getString(INSTANCE_ID);
    instance =
        named == null || named.isEmpty()
            ? "worker-" + UUID.randomUUID().toString().substring(0, 8)
            : named;
    var _ = names();
    check(checked(() -> streams("check", Long.MAX_VALUE).toProperties()));
  }

  /** Whether the worker uses a setting: its own ones, and those of Kafka Streams. */
  public static boolean takes(String name) {
    return DEFINITION.names().contains(name) || StreamsSettings.takes(name);
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

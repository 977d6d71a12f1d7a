package dev.abacus.schemas.avro;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/**
 * Configuration of the Avro serdes and of the registry client behind them. Names are those of
 * Confluent's serdes; unknown ones are ignored, as the same map usually configures a Kafka client
 * too.
 */
public final class AvroSerdeConfig extends AbstractConfig {

  public static final String SCHEMA_REGISTRY_URL = "schema.registry.url";
  public static final String AUTO_REGISTER_SCHEMAS = "auto.register.schemas";
  public static final String USE_LATEST_VERSION = "use.latest.version";
  public static final String LATEST_COMPATIBILITY_STRICT = "latest.compatibility.strict";
  public static final String LATEST_CACHE_TTL = "latest.cache.ttl.sec";
  public static final String NORMALIZE_SCHEMAS = "normalize.schemas";
  public static final String SPECIFIC_AVRO_READER = "specific.avro.reader";
  public static final String LOGICAL_TYPE_CONVERTERS = "avro.use.logical.type.converters";
  public static final String KEY_SUBJECT_NAME_STRATEGY = "key.subject.name.strategy";
  public static final String VALUE_SUBJECT_NAME_STRATEGY = "value.subject.name.strategy";
  public static final String BASIC_AUTH_CREDENTIALS_SOURCE = "basic.auth.credentials.source";
  public static final String BASIC_AUTH_USER_INFO = "basic.auth.user.info";
  public static final String CONNECT_TIMEOUT_MS = "http.connect.timeout.ms";
  public static final String READ_TIMEOUT_MS = "http.read.timeout.ms";
  public static final String MAX_RETRIES = "max.retries";
  public static final String RETRIES_WAIT_MS = "retries.wait.ms";

  private static final String REGISTRY_PREFIX = "schema.registry.";
  private static final String MOCK_SCHEME = "mock://";

  private static final ConfigDef TLS = new ConfigDef().withClientSslSupport();

  /** Every property with its type, default and meaning. */
  public static final ConfigDef DEFINITION = definition();

  public AvroSerdeConfig(Map<String, ?> properties) {
    super(DEFINITION, accepted(properties), false);
  }

  boolean autoRegister() {
    return getBoolean(AUTO_REGISTER_SCHEMAS);
  }

  boolean useLatestVersion() {
    return getBoolean(USE_LATEST_VERSION);
  }

  boolean latestCompatibilityStrict() {
    return getBoolean(LATEST_COMPATIBILITY_STRICT);
  }

  boolean normalize() {
    return getBoolean(NORMALIZE_SCHEMAS);
  }

  boolean specificReader() {
    return getBoolean(SPECIFIC_AVRO_READER);
  }

  boolean logicalTypes() {
    return getBoolean(LOGICAL_TYPE_CONVERTERS);
  }

  SubjectNaming subjectNaming(boolean key) {
    return SubjectNaming.parse(
        getString(key ? KEY_SUBJECT_NAME_STRATEGY : VALUE_SUBJECT_NAME_STRATEGY));
  }

  Duration latestCacheTtl() {
    return Duration.ofSeconds(getLong(LATEST_CACHE_TTL));
  }

  Duration connectTimeout() {
    return Duration.ofMillis(getInt(CONNECT_TIMEOUT_MS));
  }

  Duration readTimeout() {
    return Duration.ofMillis(getInt(READ_TIMEOUT_MS));
  }

  int maxRetries() {
    return getInt(MAX_RETRIES);
  }

  Duration retriesWait() {
    return Duration.ofMillis(getInt(RETRIES_WAIT_MS));
  }

  List<String> urls() {
    return getList(SCHEMA_REGISTRY_URL);
  }

  /**
   * Without an address there is nothing to connect to; a serde that was given its registry needs
   * none.
   */
  AvroSerdeConfig requireUrl() {
    if (urls().isEmpty()) {
      throw new ConfigException("Missing required configuration \"" + SCHEMA_REGISTRY_URL + "\"");
    }
    return this;
  }

  /** The scope of a {@code mock://scope} address; empty if the addresses are real. */
  Optional<String> mockScope() {
    List<String> mocks = urls().stream().filter(it -> it.startsWith(MOCK_SCHEME)).toList();
    if (mocks.isEmpty()) {
      return Optional.empty();
    }
    if (urls().size() > 1) {
      throw new ConfigException(
          SCHEMA_REGISTRY_URL, urls(), "a mock:// address stands alone, without further addresses");
    }
    return Optional.of(mocks.getFirst().substring(MOCK_SCHEME.length()));
  }

  /** The {@code user:password} to present to an address, if any. */
  Optional<String> userInfo(URI address) {
    return switch (getString(BASIC_AUTH_CREDENTIALS_SOURCE)) {
      case "USER_INFO" -> {
        Password userInfo = getPassword(BASIC_AUTH_USER_INFO);
        if (userInfo.value().isEmpty()) {
          throw new ConfigException(
              BASIC_AUTH_USER_INFO
                  + " must be user:password if "
                  + BASIC_AUTH_CREDENTIALS_SOURCE
                  + " is USER_INFO");
        }
        yield Optional.of(userInfo.value());
      }
      default -> Optional.ofNullable(address.getUserInfo());
    };
  }

  /**
   * The {@code schema.registry.ssl.*} properties without their prefix, parsed; absent ones are
   * missing.
   */
  Map<String, Object> tls() {
    Map<String, Object> tls = new HashMap<>();
    for (String name : TLS.names()) {
      Object value = get(REGISTRY_PREFIX + name);
      if (value != null) {
        tls.put(name, value);
      }
    }
    return tls;
  }

  /**
   * Confluent's serdes also take a strategy as a {@code Class}, and the older {@code
   * schema.registry.basic.auth.*} names.
   */
  private static Map<String, Object> accepted(Map<String, ?> properties) {
    Map<String, Object> accepted = new HashMap<>(properties);
    for (String name : List.of(KEY_SUBJECT_NAME_STRATEGY, VALUE_SUBJECT_NAME_STRATEGY)) {
      if (accepted.get(name) instanceof Class<?> type) {
        accepted.put(name, type.getName());
      }
    }
    for (String name : List.of(BASIC_AUTH_CREDENTIALS_SOURCE, BASIC_AUTH_USER_INFO)) {
      Object older = properties.get(REGISTRY_PREFIX + name);
      if (older != null) {
        accepted.putIfAbsent(name, older);
      }
    }
    return accepted;
  }

  private static ConfigDef definition() {
    ConfigDef definition = new ConfigDef();
    defineSchemas(definition);
    defineConnection(definition);
    definition.embed(REGISTRY_PREFIX, "TLS", 0, TLS);
    return definition;
  }

  private static void defineSchemas(ConfigDef definition) {
    ConfigDef.Validator strategy =
        ConfigDef.LambdaValidator.with(
            AvroSerdeConfig::checkStrategy,
            () ->
                "TopicNameStrategy, RecordNameStrategy or TopicRecordNameStrategy, with or without Confluent's package");
    definition
        .define(
            AUTO_REGISTER_SCHEMAS,
            ConfigDef.Type.BOOLEAN,
            true,
            Importance.MEDIUM,
            "Register the schema of a record when it is written. If false, the subject must "
                + "already have the schema.")
        .define(
            USE_LATEST_VERSION,
            ConfigDef.Type.BOOLEAN,
            false,
            Importance.LOW,
            "Write records with the latest version of the subject, regardless of their schema. Applies only if "
                + AUTO_REGISTER_SCHEMAS
                + " is false.")
        .define(
            LATEST_COMPATIBILITY_STRICT,
            ConfigDef.Type.BOOLEAN,
            true,
            Importance.LOW,
            "With "
                + USE_LATEST_VERSION
                + ", reject a record whose schema the latest version cannot read.")
        .define(
            LATEST_CACHE_TTL,
            ConfigDef.Type.LONG,
            60L,
            Range.atLeast(0),
            Importance.LOW,
            "Time for which the latest version of a subject is cached, in seconds; 0 disables "
                + "the cache.")
        .define(
            NORMALIZE_SCHEMAS,
            ConfigDef.Type.BOOLEAN,
            false,
            Importance.LOW,
            "Let the registry ignore insignificant differences between schema texts, such as "
                + "the order of properties.")
        .define(
            SPECIFIC_AVRO_READER,
            ConfigDef.Type.BOOLEAN,
            false,
            Importance.MEDIUM,
            "Read into the class that Avro's compiler generated from the schema instead of a "
                + "GenericRecord.")
        .define(
            LOGICAL_TYPE_CONVERTERS,
            ConfigDef.Type.BOOLEAN,
            true,
            Importance.LOW,
            "Read logical types (decimal, date, timestamp, uuid …) of generic records as "
                + "BigDecimal, java.time and UUID instead of the underlying numbers and bytes.")
        .define(
            KEY_SUBJECT_NAME_STRATEGY,
            ConfigDef.Type.STRING,
            SubjectNaming.TOPIC.strategy(),
            strategy,
            Importance.MEDIUM,
            "Naming strategy of the subject of a key's schema.")
        .define(
            VALUE_SUBJECT_NAME_STRATEGY,
            ConfigDef.Type.STRING,
            SubjectNaming.TOPIC.strategy(),
            strategy,
            Importance.MEDIUM,
            "Naming strategy of the subject of a value's schema.");
  }

  private static void defineConnection(ConfigDef definition) {
    definition
        .define(
            SCHEMA_REGISTRY_URL,
            ConfigDef.Type.LIST,
            List.of(),
            Importance.HIGH,
            "URLs of the registry, separated by commas; the next is used if one does not "
                + "answer. Required unless the serde is created with a registry. mock://scope is an "
                + "in-memory registry, shared within this JVM by all users of the same scope.")
        .define(
            BASIC_AUTH_CREDENTIALS_SOURCE,
            ConfigDef.Type.STRING,
            "URL",
            ConfigDef.ValidString.in("URL", "USER_INFO"),
            Importance.MEDIUM,
            "Source of user and password: URL (https://user:password@host) or USER_INFO ("
                + BASIC_AUTH_USER_INFO
                + ").")
        .define(
            BASIC_AUTH_USER_INFO,
            ConfigDef.Type.PASSWORD,
            "",
            Importance.MEDIUM,
            "user:password for HTTP basic authentication, if the credentials source is USER_INFO.")
        .define(
            CONNECT_TIMEOUT_MS,
            ConfigDef.Type.INT,
            5_000,
            Range.atLeast(1),
            Importance.LOW,
            "Connection timeout, in milliseconds.")
        .define(
            READ_TIMEOUT_MS,
            ConfigDef.Type.INT,
            10_000,
            Range.atLeast(1),
            Importance.LOW,
            "Request timeout, in milliseconds.")
        .define(
            MAX_RETRIES,
            ConfigDef.Type.INT,
            3,
            Range.atLeast(0),
            Importance.LOW,
            "Number of retries over all addresses if none answers.")
        .define(
            RETRIES_WAIT_MS,
            ConfigDef.Type.INT,
            1_000,
            Range.atLeast(0),
            Importance.LOW,
            "Wait before a retry, in milliseconds.");
  }

  private static void checkStrategy(String name, Object value) {
    try {
      SubjectNaming.parse(String.valueOf(value));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(name, value, e.getMessage());
    }
  }
}

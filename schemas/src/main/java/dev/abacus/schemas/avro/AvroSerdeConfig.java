package dev.abacus.schemas.avro;

import static dev.abacus.schemas.setting.SettingTable.setting;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.PASSWORD;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import dev.abacus.schemas.setting.SettingTable;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/**
 * Configuration of the Avro serdes and of their registry client. The names are those of Confluent's
 * serdes. Unknown names are ignored, because the same map usually also configures a Kafka client.
 */
public final class AvroSerdeConfig extends AbstractConfig {

  public static final String SCHEMA_REGISTRY_URL = "schema.registry.url";
  public static final String AUTO_REGISTER_SCHEMAS = "auto.register.schemas";
  public static final String USE_LATEST_VERSION = "use.latest.version";
  public static final String LATEST_COMPATIBILITY_STRICT = "latest.compatibility.strict";
  public static final String LATEST_CACHE_TTL = "latest.cache.ttl.sec";
  public static final String NORMALIZE_SCHEMAS = "normalize.schemas";
  public static final String KEY_SUBJECT_NAME_STRATEGY = "key.subject.name.strategy";
  public static final String VALUE_SUBJECT_NAME_STRATEGY = "value.subject.name.strategy";
  public static final String BASIC_AUTH_CREDENTIALS_SOURCE = "basic.auth.credentials.source";
  public static final String BASIC_AUTH_USER_INFO = "basic.auth.user.info";
  public static final String CONNECT_TIMEOUT_MS = "http.connect.timeout.ms";
  public static final String READ_TIMEOUT_MS = "http.read.timeout.ms";
  public static final String MAX_RETRIES = "max.retries";
  public static final String RETRIES_WAIT_MS = "retries.wait.ms";

  static final String REGISTRY_PREFIX = "schema.registry.";
  private static final String MOCK_SCHEME = "mock://";

  private static final ConfigDef TLS = new ConfigDef().withClientSslSupport();

  private static final ConfigDef.Validator STRATEGY =
      ConfigDef.LambdaValidator.with(
          AvroSerdeConfig::checkStrategy,
          () ->
              "TopicNameStrategy, RecordNameStrategy or TopicRecordNameStrategy, with or without Confluent's package");

  /** Every property with its type, default and meaning. */
  public static final ConfigDef DEFINITION =
      new SettingTable()
          .with(
              setting(AUTO_REGISTER_SCHEMAS, BOOLEAN, true),
              "Register the schema of a record when it is written. If false, the subject must "
                  + "already have the schema.")
          .with(
              setting(USE_LATEST_VERSION, BOOLEAN, false),
              "Write records with the latest version of the subject, regardless of their schema. Applies only if "
                  + AUTO_REGISTER_SCHEMAS
                  + " is false.")
          .with(
              setting(LATEST_COMPATIBILITY_STRICT, BOOLEAN, true),
              "With "
                  + USE_LATEST_VERSION
                  + ", reject a record whose schema the latest version cannot read.")
          .with(
              setting(LATEST_CACHE_TTL, LONG, 60L, atLeast(0)),
              "Time for which the latest version of a subject is cached, in seconds; 0 disables "
                  + "the cache.")
          .with(
              setting(NORMALIZE_SCHEMAS, BOOLEAN, false),
              "Let the registry ignore insignificant differences between schema texts, such as "
                  + "the order of properties.")
          .with(
              setting(KEY_SUBJECT_NAME_STRATEGY, STRING, SubjectNaming.TOPIC.strategy(), STRATEGY),
              "Naming strategy of the subject of a key's schema.")
          .with(
              setting(
                  VALUE_SUBJECT_NAME_STRATEGY, STRING, SubjectNaming.TOPIC.strategy(), STRATEGY),
              "Naming strategy of the subject of a value's schema.")
          .with(
              setting(SCHEMA_REGISTRY_URL, LIST, List.of()),
              "URLs of the registry, separated by commas; the next is used if one does not "
                  + "answer. Required unless the serde is created with a registry. mock://scope is an "
                  + "in-memory registry, shared within this JVM by all users of the same scope.")
          .with(
              setting(
                  BASIC_AUTH_CREDENTIALS_SOURCE,
                  STRING,
                  "URL",
                  ConfigDef.ValidString.in("URL", "USER_INFO")),
              "Source of user and password: URL (https://user:password@host) or USER_INFO ("
                  + BASIC_AUTH_USER_INFO
                  + ").")
          .with(
              setting(BASIC_AUTH_USER_INFO, PASSWORD, ""),
              "user:password for HTTP basic authentication, if the credentials source is USER_INFO.")
          .with(
              setting(CONNECT_TIMEOUT_MS, INT, 5_000, atLeast(1)),
              "Connection timeout, in milliseconds.")
          .with(
              setting(READ_TIMEOUT_MS, INT, 10_000, atLeast(1)),
              "Request timeout, in milliseconds.")
          .with(
              setting(MAX_RETRIES, INT, 3, atLeast(0)),
              "Number of retries over all addresses if none answers.")
          .with(
              setting(RETRIES_WAIT_MS, INT, 1_000, atLeast(0)),
              "Wait before a retry, in milliseconds.")
          .embed(REGISTRY_PREFIX, TLS)
          .definition();

  public AvroSerdeConfig(Map<String, ?> properties) {
    super(DEFINITION, accepted(properties), false);
  }

  SubjectNaming subjectNaming(boolean key) {
    return SubjectNaming.parse(
        getString(key ? KEY_SUBJECT_NAME_STRATEGY : VALUE_SUBJECT_NAME_STRATEGY));
  }

  Duration latestCacheTtl() {
    return Duration.ofSeconds(getLong(LATEST_CACHE_TTL));
  }

  /** A setting in milliseconds. */
  Duration millis(String name) {
    return Duration.ofMillis(getInt(name));
  }

  List<String> urls() {
    return getList(SCHEMA_REGISTRY_URL);
  }

  /**
   * Returns this configuration if it has an address. A serde with a given registry needs none.
   *
   * @throws ConfigException without an address
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
          SCHEMA_REGISTRY_URL, urls(), "mock:// cannot be combined with other addresses");
    }
    return Optional.of(mocks.getFirst().substring(MOCK_SCHEME.length()));
  }

  /** The {@code user:password} for an address, if any. */
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
    return TLS.names().stream()
        .filter(name -> get(REGISTRY_PREFIX + name) != null)
        .collect(Collectors.toMap(name -> name, name -> get(REGISTRY_PREFIX + name)));
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

  private static void checkStrategy(String name, Object value) {
    try {
      SubjectNaming.parse(String.valueOf(value));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(name, value, e.getMessage());
    }
  }
}

package dev.abacus.schemas.avro;

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

  /** Every property with its type, default and meaning. */
  public static final ConfigDef DEFINITION = AvroSerdeDefinition.create();

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
    return AvroSerdeDefinition.TLS.names().stream()
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
}

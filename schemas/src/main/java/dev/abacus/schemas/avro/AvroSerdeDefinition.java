package dev.abacus.schemas.avro;

import static dev.abacus.schemas.avro.AvroSerdeConfig.AUTO_REGISTER_SCHEMAS;
import static dev.abacus.schemas.avro.AvroSerdeConfig.BASIC_AUTH_CREDENTIALS_SOURCE;
import static dev.abacus.schemas.avro.AvroSerdeConfig.BASIC_AUTH_USER_INFO;
import static dev.abacus.schemas.avro.AvroSerdeConfig.CONNECT_TIMEOUT_MS;
import static dev.abacus.schemas.avro.AvroSerdeConfig.KEY_SUBJECT_NAME_STRATEGY;
import static dev.abacus.schemas.avro.AvroSerdeConfig.LATEST_CACHE_TTL;
import static dev.abacus.schemas.avro.AvroSerdeConfig.LATEST_COMPATIBILITY_STRICT;
import static dev.abacus.schemas.avro.AvroSerdeConfig.MAX_RETRIES;
import static dev.abacus.schemas.avro.AvroSerdeConfig.NORMALIZE_SCHEMAS;
import static dev.abacus.schemas.avro.AvroSerdeConfig.READ_TIMEOUT_MS;
import static dev.abacus.schemas.avro.AvroSerdeConfig.RETRIES_WAIT_MS;
import static dev.abacus.schemas.avro.AvroSerdeConfig.SCHEMA_REGISTRY_URL;
import static dev.abacus.schemas.avro.AvroSerdeConfig.USE_LATEST_VERSION;
import static dev.abacus.schemas.avro.AvroSerdeConfig.VALUE_SUBJECT_NAME_STRATEGY;

import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigException;

/** The properties of {@link AvroSerdeConfig} with their types, defaults and descriptions. */
final class AvroSerdeDefinition {

  static final ConfigDef TLS = new ConfigDef().withClientSslSupport();

  private AvroSerdeDefinition() {}

  static ConfigDef create() {
    ConfigDef definition = new ConfigDef();
    defineSchemas(definition);
    defineConnection(definition);
    definition.embed(AvroSerdeConfig.REGISTRY_PREFIX, "TLS", 0, TLS);
    return definition;
  }

  private static void defineSchemas(ConfigDef definition) {
    ConfigDef.Validator strategy =
        ConfigDef.LambdaValidator.with(
            AvroSerdeDefinition::checkStrategy,
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

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
import static dev.abacus.schemas.setting.SettingTable.setting;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.PASSWORD;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import dev.abacus.schemas.setting.SettingTable;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The properties of {@link AvroSerdeConfig} with their types, defaults and descriptions. */
final class AvroSerdeDefinition {

  static final ConfigDef TLS = new ConfigDef().withClientSslSupport();

  private AvroSerdeDefinition() {}

  static ConfigDef create() {
    SettingTable settings = new SettingTable();
    defineSchemas(settings);
    defineConnection(settings);
    settings.definition().embed(AvroSerdeConfig.REGISTRY_PREFIX, "TLS", 0, TLS);
    return settings.definition();
  }

  private static void defineSchemas(SettingTable settings) {
    ConfigDef.Validator strategy =
        ConfigDef.LambdaValidator.with(
            AvroSerdeDefinition::checkStrategy,
            () ->
                "TopicNameStrategy, RecordNameStrategy or TopicRecordNameStrategy, with or without Confluent's package");
    settings
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
            setting(KEY_SUBJECT_NAME_STRATEGY, STRING, SubjectNaming.TOPIC.strategy(), strategy),
            "Naming strategy of the subject of a key's schema.")
        .with(
            setting(VALUE_SUBJECT_NAME_STRATEGY, STRING, SubjectNaming.TOPIC.strategy(), strategy),
            "Naming strategy of the subject of a value's schema.");
  }

  private static void defineConnection(SettingTable settings) {
    settings
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
            setting(READ_TIMEOUT_MS, INT, 10_000, atLeast(1)), "Request timeout, in milliseconds.")
        .with(
            setting(MAX_RETRIES, INT, 3, atLeast(0)),
            "Number of retries over all addresses if none answers.")
        .with(
            setting(RETRIES_WAIT_MS, INT, 1_000, atLeast(0)),
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

package dev.abacus.schemas.avro;

import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Keeps schema versions by subject and assigns an id to each distinct schema. Implementations are
 * thread-safe and may cache what cannot change, such as the id of a schema.
 *
 * <p>Every method throws {@link RegistryException}; its subtype says whether to try again.
 */
public interface SchemaRegistry extends AutoCloseable {

  /**
   * The registry that a serde configuration names: {@code mock://scope}, or one or several HTTP
   * addresses.
   *
   * @throws org.apache.kafka.common.config.ConfigException if the configuration is incomplete or
   *     contradicts itself
   */
  static SchemaRegistry connect(AvroSerdeConfig config) {
    return config
        .requireUrl()
        .mockScope()
        .<SchemaRegistry>map(MockSchemaRegistry::ofScope)
        .orElseGet(() -> new HttpSchemaRegistry(config));
  }

  /**
   * {@link #connect(AvroSerdeConfig)} with an address (or several, separated by commas) and no
   * further settings.
   */
  static SchemaRegistry connect(String url) {
    return connect(new AvroSerdeConfig(Map.of(AvroSerdeConfig.SCHEMA_REGISTRY_URL, url)));
  }

  /**
   * Adds a version to the subject, unless the subject has this schema already.
   *
   * @return the schema's id
   * @throws RegistryException.Incompatible if the subject's compatibility rule forbids it
   */
  int register(String subject, Schema schema);

  /**
   * The id of a schema that the subject has.
   *
   * @throws RegistryException.NotFound if the subject does not have it
   */
  int idOf(String subject, Schema schema);

  /**
   * The schema of an id.
   *
   * @throws RegistryException.NotFound if no schema has this id
   */
  Schema schemaById(int id);

  /**
   * The schema of an id of any type, with those that it refers to.
   *
   * @throws RegistryException.NotFound if no schema has this id
   */
  SchemaText textById(int id);

  /**
   * The subject's newest version.
   *
   * @throws RegistryException.NotFound if the subject has none
   */
  RegisteredSchema latest(String subject);

  /**
   * Why {@link #register} would refuse the schema; empty if it would accept it. A subject without
   * versions accepts any.
   */
  Optional<String> violation(String subject, Schema schema);

  /** The rule of a subject: its own, or the one for all subjects. */
  Compatibility compatibility(String subject);

  /** Sets the rule for all subjects that have none of their own. */
  void setCompatibility(Compatibility compatibility);

  /** Releases connections; throws nothing. */
  @Override
  void close();
}

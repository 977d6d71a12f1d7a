package dev.abacus.schemas.kafka;

import dev.abacus.schemas.program.io.NameSuggestions;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * The configuration of a process. Its own settings start with a prefix; all others are for the
 * clients of Kafka.
 */
public abstract class ProcessConfig extends AbstractConfig {

  /**
   * Reads properties.
   *
   * @param own prefix of the settings that all are in the definition
   * @throws ConfigException if a property is missing, invalid or, with the prefix, unknown
   */
  protected ProcessConfig(ConfigDef definition, String own, Map<String, ?> properties) {
    super(definition, properties, false);
    List<String> known = definition.names().stream().sorted().toList();
    properties.keySet().stream()
        .filter(name -> name.startsWith(own) && !known.contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw new ConfigException(NameSuggestions.unknown("setting", name, known));
        });
  }

  /** What is read from settings, whose mistakes are stated as such. */
  public static <T> T checked(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      ConfigException mistake = new ConfigException(e.getMessage());
      mistake.initCause(e);
      throw mistake;
    }
  }

  /** Names of topics, groups, applications and transactional ids. */
  public final KafkaNames names() {
    return checked(() -> new KafkaNames(getString(KafkaNames.SETTING)));
  }
}

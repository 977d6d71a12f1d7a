package dev.abacus.deploy.local;

import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.schemas.avro.AvroSerdeConfig;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.io.NameSuggestions;
import dev.abacus.topology.WorkerConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Settings that a user gives to the worker and the optimizer of a local stack.
 *
 * @param worker those that the worker knows
 * @param optimizer those that the optimizer knows
 */
public record PlaneSettings(Map<String, String> worker, Map<String, String> optimizer) {

  /** No settings. */
  public static final PlaneSettings NONE = new PlaneSettings(Map.of(), Map.of());

  /** Settings that the stack itself needs. */
  private static final Set<String> FIXED =
      Set.of(
          "bootstrap.servers",
          KafkaNames.SETTING,
          WorkerConfig.STATE_DIR,
          WorkerConfig.REGISTRY_URL);

  public PlaneSettings {
    worker = Map.copyOf(worker);
    optimizer = Map.copyOf(optimizer);
  }

  /**
   * Distributes settings. Properties of Kafka's clients go to both planes.
   *
   * @throws ConfigException if neither plane knows a name, or if a value is invalid
   */
  public static PlaneSettings of(Map<String, String> given) {
    Map<String, String> worker = new HashMap<>();
    Map<String, String> optimizer = new HashMap<>();
    given.forEach((name, value) -> {
      if (FIXED.contains(name)) {
        throw new ConfigException("the local stack sets " + name + " itself");
      }
      if (OptimizerConfig.DEFINITION.names().contains(name)) {
        optimizer.put(name, value);
      } else if (WorkerConfig.takes(name)) {
        worker.put(name, value);
      } else if (isOfClients(name)) {
        worker.put(name, value);
        optimizer.put(name, value);
      } else {
        throw new ConfigException(
            "-X %s: neither the worker nor the optimizer has this setting%s"
                .formatted(name, hint(name)));
      }
    });
    check(worker, optimizer);
    return new PlaneSettings(worker, optimizer);
  }

  /** Lets both planes check the values, before the stack is started. */
  private static void check(Map<String, String> worker, Map<String, String> optimizer) {
    Map<String, String> bootstrap = Map.of("bootstrap.servers", "127.0.0.1:1");
    Map<String, String> all = new HashMap<>(bootstrap);
    all.putAll(worker);
    var _ = new WorkerConfig(all);
    all = new HashMap<>(bootstrap);
    all.putAll(optimizer);
    var _ = new OptimizerConfig(all);
  }

  private static boolean isOfClients(String name) {
    return ConsumerConfig.configNames().contains(name)
        || ProducerConfig.configNames().contains(name)
        || AdminClientConfig.configNames().contains(name)
        || AvroSerdeConfig.DEFINITION.names().contains(name)
        || name.startsWith("schema.registry.");
  }

  private static String hint(String name) {
    String closest = NameSuggestions.closest(name, known());
    return closest == null ? "" : "; did you mean " + closest + "?";
  }

  private static Set<String> known() {
    Set<String> names = new TreeSet<>(WorkerConfig.DEFINITION.names());
    names.addAll(OptimizerConfig.DEFINITION.names());
    names.addAll(StreamsConfig.configDef().names());
    names.addAll(ConsumerConfig.configNames());
    names.addAll(ProducerConfig.configNames());
    return names;
  }
}

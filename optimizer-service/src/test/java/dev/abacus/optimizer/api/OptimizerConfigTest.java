package dev.abacus.optimizer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class OptimizerConfigTest {

  private static OptimizerConfig config(String... settings) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", "localhost:9092");
    for (int i = 0; i < settings.length; i += 2) {
      properties.put(settings[i], settings[i + 1]);
    }
    return new OptimizerConfig(properties);
  }

  @Test
  void defaultsAreThoseOfThePaper() {
    Map<String, Object> defaults = OptimizerConfig.DEFINITION.defaultValues();

    assertThat(defaults)
        .containsEntry("optimizer.seed", 42L)
        .containsEntry("optimizer.frontier.size", 6)
        .containsEntry("optimizer.new.arm.examples", 4)
        .containsEntry("optimizer.sample.patience.ms", 600_000L)
        .containsEntry("optimizer.bound.probability", 0.9)
        .containsEntry("optimizer.confirmation.share", 0.2)
        .containsEntry("optimizer.quality.tolerance", 0.01)
        .containsEntry("optimizer.replication.factor", (short) -1)
        .containsEntry("optimizer.sample.partitions", -1)
        .containsEntry("optimizer.status.interval.ms", 10_000L)
        .containsEntry("optimizer.model.catalogue", null);
  }

  @Test
  void everyPropertyIsExplained() {
    assertThat(OptimizerConfig.DEFINITION.configKeys().values())
        .extracting((ConfigDef.ConfigKey key) -> key.documentation)
        .allSatisfy(text -> assertThat(text).endsWith("."));
  }

  @Test
  void whatIsNotItsOwnGoesToTheClients() {
    assertThat(
            config("optimizer.seed", "7", "security.protocol", "SSL", "schema.registry.url", "x")
                .clientProperties())
        .containsOnlyKeys("bootstrap.servers", "security.protocol", "schema.registry.url");
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThatThrownBy(() -> new OptimizerConfig(Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("bootstrap.servers");
    assertThatThrownBy(() -> config("optimizer.frontier.size", "0"))
        .isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> config("optimizer.embedders", "no-such-model").catalogue())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no-such-model");
    assertThatThrownBy(() -> config("optimizer.model.catalogue", "/no/such/file").catalogue())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("/no/such/file");
  }
}

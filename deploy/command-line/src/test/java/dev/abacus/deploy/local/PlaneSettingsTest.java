package dev.abacus.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class PlaneSettingsTest {

  @Test
  void eachPlaneGetsWhatItKnows() {
    PlaneSettings settings =
        PlaneSettings.of(
            Map.of(
                "abacus.in.flight", "2",
                "optimizer.seed", "7",
                "commit.interval.ms", "200",
                "producer.linger.ms", "5",
                "fetch.max.bytes", "1000000",
                "use.latest.version", "true"));
    assertThat(settings.worker())
        .containsOnlyKeys(
            "abacus.in.flight",
            "commit.interval.ms",
            "producer.linger.ms",
            "fetch.max.bytes",
            "use.latest.version");
    assertThat(settings.optimizer())
        .containsOnlyKeys("optimizer.seed", "fetch.max.bytes", "use.latest.version");
  }

  @Test
  void aNameThatNobodyKnowsIsRefusedWithTheNearestOne() {
    assertThatThrownBy(() -> PlaneSettings.of(Map.of("abacus.inflight", "2")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("abacus.inflight")
        .hasMessageContaining("did you mean abacus.in.flight?");
  }

  @Test
  void aWrongValueIsRefused() {
    assertThatThrownBy(() -> PlaneSettings.of(Map.of("abacus.in.flight", "many")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("abacus.in.flight");
    assertThatThrownBy(() -> PlaneSettings.of(Map.of("optimizer.seed", "seven")))
        .isInstanceOf(ConfigException.class);
  }

  @Test
  void whatTheStackSetsIsRefused() {
    assertThatThrownBy(() -> PlaneSettings.of(Map.of("bootstrap.servers", "elsewhere:9092")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("bootstrap.servers");
  }
}

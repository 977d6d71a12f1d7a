package dev.abacus.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.topology.model.admission.CallLimits;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerConfigTest {

  private static Map<String, CallLimits> limits(String text) {
    return new WorkerConfig(
            Map.of("bootstrap.servers", "localhost:9092", WorkerConfig.MODEL_LIMITS, text))
        .admission()
        .limitsOfModels();
  }

  @Test
  void limitsOfModelsHaveRequestsTokensOrBoth() {
    assertThat(limits("gpt-4o=500/30000, llama=60/ ,mixtral=/9000,meta/llama-3=7"))
        .isEqualTo(
            Map.of(
                "gpt-4o", new CallLimits(500L, 30_000L),
                "llama", new CallLimits(60L, null),
                "mixtral", new CallLimits(null, 9_000L),
                "meta/llama-3", new CallLimits(7L, null)));
    assertThat(limits("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpt-4o",
        "gpt-4o=",
        "gpt-4o=/",
        "=500",
        "gpt-4o=0",
        "gpt-4o=-1",
        "gpt-4o=5/0",
        "gpt-4o=5/6/7",
        "gpt-4o=ten",
        "gpt-4o=1e3",
        "gpt-4o=5000000000000000"
      })
  void otherLimitsAreRefusedWithTheFormThatIsExpected(String text) {
    assertThatThrownBy(() -> limits(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("abacus.model.limits")
        .hasMessageContaining("expected MODEL=REQUESTS/TOKENS");
  }
}

package dev.abacus.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.topology.model.admission.CallLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.StreamsConfig;
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

  private static WorkerConfig streamsProtocol(Map<String, String> more) {
    Map<String, String> properties = new HashMap<>(more);
    properties.put("bootstrap.servers", "localhost:9092");
    properties.put("group.protocol", "streams");
    return new WorkerConfig(properties);
  }

  @Test
  void theStreamsGroupProtocolIsForKafkaStreamsAlone() {
    WorkerConfig config = streamsProtocol(Map.of());

    assertThat(
            new StreamsConfig(config.streams("app", 0).toProperties()).getString("group.protocol"))
        .isEqualTo("streams");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            config.clientProperties(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      assertThat(consumer.assignment()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "group.instance.id",
        "consumer.group.instance.id",
        "main.consumer.group.instance.id",
        "num.standby.replicas"
      })
  void theStreamsGroupProtocolRefusesWhatItDoesNotSupport(String name) {
    assertThatThrownBy(() -> streamsProtocol(Map.of(name, "1")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("group.protocol=streams");
    Map<String, String> classic =
        Map.of("bootstrap.servers", "localhost:9092", "group.protocol", "classic", name, "1");
    assertThat(new WorkerConfig(classic).clientProperties()).containsKey(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1"})
  void aLimitOfKeysIsPositive(String limit) {
    for (String name :
        List.of(WorkerConfig.KEY_REQUESTS_PER_MINUTE, WorkerConfig.KEY_TOKENS_PER_MINUTE)) {
      assertThatThrownBy(
              () -> new WorkerConfig(Map.of("bootstrap.servers", "localhost:9092", name, limit)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(name);
    }
  }
}

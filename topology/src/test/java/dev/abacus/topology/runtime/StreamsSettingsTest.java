package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class StreamsSettingsTest {

  private static StreamsSettings with(Map<String, String> overrides) {
    return new StreamsSettings("app", "nowhere:1", "state", 2, 64L << 20, 1 << 20, overrides);
  }

  @Test
  void defaultsAreWhatTheRuntimeNeeds() {
    StreamsConfig config = new StreamsConfig(with(Map.of()).toProperties());
    assertThat(config.getString("processing.guarantee")).isEqualTo("exactly_once_v2");
    assertThat(config.getLong("commit.interval.ms")).isEqualTo(500);
    assertThat(config.getLong("poll.ms")).isEqualTo(5);
    assertThat(config.getInt("num.stream.threads")).isEqualTo(2);
    assertThat(config.getBoolean("ensure.explicit.internal.resource.naming")).isTrue();
    Map<String, Object> producer = config.getProducerConfigs("client");
    assertThat(producer)
        .containsEntry("transaction.timeout.ms", 60_000)
        .containsEntry("max.request.size", new RecordSizes(1 << 20).largestMessage());
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("max.poll.records", 100)
        .containsEntry("isolation.level", "read_committed");
    assertThat(config.originals())
        .as("whatever the brokers do with topics without a limit")
        .containsEntry("topic.retention.bytes", -1);
    assertThat(config.getRestoreConsumerConfigs("client"))
        .containsEntry("max.poll.records", "1000");
  }

  @Test
  void thePartitionAssignorFindsTheSettingThatItWarnsAbout() {
    StreamsConfig config = new StreamsConfig(with(Map.of()).toProperties());

    // As AssignorConfiguration of Kafka Streams does.
    StreamsConfig ofAssignor =
        new StreamsConfig(config.getMainConsumerConfigs("group", "client", 0));

    String setting = "processing.exception.handler.global.enabled";
    assertThat(config.getBoolean(setting)).isTrue();
    assertThat(ofAssignor.getBoolean(setting)).isTrue();
  }

  @Test
  void theUsersOwnPropertiesWinWithAndWithoutPrefix() {
    Properties properties =
        with(Map.of(
                "commit.interval.ms", "1000",
                "max.poll.records", "7",
                "producer.transaction.timeout.ms", "30000",
                "sasl.mechanism", "PLAIN"))
            .toProperties();
    StreamsConfig config = new StreamsConfig(properties);
    assertThat(config.getLong("commit.interval.ms")).isEqualTo(1000);
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("max.poll.records", "7")
        .containsEntry("sasl.mechanism", "PLAIN");
    assertThat(config.getProducerConfigs("client"))
        .containsEntry("transaction.timeout.ms", "30000");
  }

  @Test
  void whatExactlyOnceRestsOnCannotBeChanged() {
    for (Map.Entry<String, String> override :
        Map.of(
                "processing.guarantee", "at_least_once",
                "main.consumer.isolation.level", "read_uncommitted",
                "producer.enable.idempotence", "false",
                "acks", "1",
                "transactional.id", "mine")
            .entrySet()) {
      assertThatThrownBy(() -> with(Map.ofEntries(override)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(override.getKey());
    }
  }

  @Test
  void whatIsSetToTheValueThatItHasAnywayIsAccepted() {
    assertThat(with(Map.of("processing.guarantee", "exactly_once_v2")).toProperties())
        .containsEntry("processing.guarantee", "exactly_once_v2");
  }
}

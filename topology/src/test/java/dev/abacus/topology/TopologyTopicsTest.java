package dev.abacus.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.junit.jupiter.api.Test;

class TopologyTopicsTest {

  /** Its records would not wake the application, and nothing would be said of its absence. */
  @Test
  void aSourceMayHaveTheNameOfARepartitionTopicOfAnotherApplication() {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream("orders-repartition")
        .repartition(Repartitioned.as("limit"))
        .toTable()
        .toStream()
        .to("results");
    Topology built = builder.build();
    TopologyTopics topics = TopologyTopics.of("app", built);
    assertThat(topics.sources()).containsExactly("orders-repartition");
    assertThat(topics.repartitions()).containsExactly("app-limit-repartition");
    assertThat(TopologyTopics.least("app", built, "samples", Map.of("orders-repartition", 3)))
        .doesNotContainKey("orders-repartition");
  }
}

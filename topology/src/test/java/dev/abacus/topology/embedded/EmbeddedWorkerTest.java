package dev.abacus.topology.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.builder.ProgramBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.junit.jupiter.api.Test;

class EmbeddedWorkerTest {

  private static final Serde<String> TEXT = Serdes.String();

  @Test
  void aProgramInATopologyReadsAndWritesItsTopics() {
    StreamsBuilder builder = new StreamsBuilder();
    Program program = keep("kept").build();
    EmbeddedWorker.process(builder, program, in(builder), TEXT, TEXT).to("out");
    Properties properties = new Properties();
    properties.put("application.id", "test");
    properties.put("default.key.serde", TEXT.getClass());
    properties.put("default.value.serde", TEXT.getClass());
    try (TopologyTestDriver driver = new TopologyTestDriver(builder.build(), properties)) {
      StringSerializer writer = new StringSerializer();
      StringDeserializer reader = new StringDeserializer();
      driver.createInputTopic("in", writer, writer).pipeInput("k", "document");
      assertThat(driver.createOutputTopic("documents", reader, reader).readValuesToList())
          .containsExactly("document");
      driver.createInputTopic("kept", writer, writer).pipeInput("k", "result");
      assertThat(driver.createOutputTopic("out", reader, reader).readValuesToList())
          .containsExactly("result");
    }
  }

  @Test
  void aProgramOfTwoSourcesNamesTheTopicsToUseInstead() {
    StreamsBuilder builder = new StreamsBuilder();
    Program pairs =
        ProgramBuilder.program("pairs")
            .source("left", "left.topic")
            .source("right", "right.topic")
            .join(
                "pair",
                join -> join.input("left").with("right").within(Duration.ofMinutes(1)).on("id"))
            .results("pairs.out")
            .build();
    assertThatThrownBy(() -> EmbeddedWorker.process(builder, pairs, in(builder), TEXT, TEXT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'pairs' has 2 sources")
        .hasMessageContaining("read pairs.out");
  }

  @Test
  void aProgramWithTopicsThatItMayNotUseIsRefusedBeforeAnythingStarts() {
    assertThatThrownBy(() ->
            EmbeddedWorker.start(
                Map.of("bootstrap.servers", "none:1"), 1, keep("abacus.control").build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keep: the topic 'abacus.control' of results belongs to Abacus");
  }

  private static KStream<String, String> in(StreamsBuilder builder) {
    return builder.stream("in", Consumed.with(TEXT, TEXT));
  }

  private static ProgramBuilder keep(String results) {
    return ProgramBuilder.program("keep")
        .source("documents", "documents")
        .filter("keep", filter -> filter.condition("It is kept."))
        .results(results);
  }
}

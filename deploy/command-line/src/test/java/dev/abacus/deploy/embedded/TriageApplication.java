package dev.abacus.deploy.embedded;

import static dev.abacus.schemas.program.builder.FieldBuilder.integer;
import static dev.abacus.schemas.program.builder.FieldBuilder.string;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.builder.ProgramBuilder;
import dev.abacus.topology.embedded.EmbeddedWorker;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;

/** The example of docs/java.md, which quotes this file. */
final class TriageApplication {

  private static final Serde<String> TEXT = Serdes.String();

  private TriageApplication() {}

  static Program triage() {
    return ProgramBuilder.program("support-triage")
        .source("messages", "support.messages")
        .map(
            "classify",
            map ->
                map.instruction("Decide what the customer wants and how urgent it is.")
                    .reads("text")
                    .writes(
                        string("intent").oneOf("delivery_delay", "damaged_item", "other"),
                        integer("urgency").atLeast(1).atMost(5)))
        .filter(
            "is-problem",
            filter ->
                filter.condition("The customer reports that something went wrong.").reads("text"))
        .project("id", "intent", "urgency")
        .results("support.triaged")
        .objective("maximize quality subject to cost <= 0.002")
        .build();
  }

  static void run(String kafka, String models, String folder, CountDownLatch stop)
      throws InterruptedException {
    Properties streams = new Properties();
    streams.put("bootstrap.servers", kafka);
    streams.put("application.id", "mail");
    streams.put("processing.guarantee", "exactly_once_v2");
    streams.put("state.dir", folder + "/mail");

    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> mail = builder.stream("mail.in", Consumed.with(TEXT, TEXT));
    EmbeddedWorker.process(builder, triage(), mail, TEXT, TEXT)
        .to("mail.out", Produced.with(TEXT, TEXT));

    Map<String, String> worker =
        Map.of(
            "bootstrap.servers", kafka,
            "abacus.model.endpoint", models,
            "state.dir", folder + "/abacus");
    try (EmbeddedWorker _ = EmbeddedWorker.start(worker, 2, triage());
        KafkaStreams application = new KafkaStreams(builder.build(), streams)) {
      application.start();
      stop.await();
    }
  }
}

package dev.abacus.topology.sample;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.topology.runtime.AsyncProcessorSupplier;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;

/**
 * The Kafka Streams topology of the samples of a program:
 *
 * <pre>
 *   samples ──► sample ──► observations
 *                  └─────► dead letters
 * </pre>
 */
public final class SampleTopology {

  static final String OBSERVATIONS = "observations";
  static final String DEAD_LETTERS = "dead-letters";
  private static final String SOURCE = "samples";
  private static final String SAMPLE = "sample";
  private static final String PENDING = "pending-samples";

  private SampleTopology() {}

  /** The changelog of an application's pending tasks. */
  public static String pendingTopic(String application) {
    return "%s-%s-changelog".formatted(application, PENDING);
  }

  /** The topology of a program. */
  public static Topology of(
      String program, SampleWork work, RuntimeSettings settings, RuntimeServices services) {
    KafkaNames names = settings.names();
    ByteArrayDeserializer reading = new ByteArrayDeserializer();
    ByteArraySerializer writing = new ByteArraySerializer();
    RuntimeServices own = services.withProgram(program);
    return new Topology()
        .addSource(SOURCE, reading, reading, names.samples(program))
        .addProcessor(SAMPLE, new AsyncProcessorSupplier(PENDING, work, settings, own), SOURCE)
        .addSink(OBSERVATIONS, names.observations(program), writing, writing, SAMPLE)
        .addSink(DEAD_LETTERS, names.deadLetters(program), writing, writing, SAMPLE);
  }
}

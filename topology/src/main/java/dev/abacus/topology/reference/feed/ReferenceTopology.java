package dev.abacus.topology.reference.feed;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.topology.runtime.AsyncProcessorSupplier;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.SinkProcessor;
import dev.abacus.topology.runtime.Work;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;

/**
 * The Kafka Streams topology that embeds the references of a program. Instances share its
 * partitions, so one instance embeds each item:
 *
 * <pre>
 *   reference topic ──► embed ──► embedded topic
 *                         └─────► dead letters
 * </pre>
 */
public final class ReferenceTopology {

  private ReferenceTopology() {}

  /**
   * The topology for all references of a program.
   *
   * @param works by the name of the reference
   */
  public static Topology of(
      Program program,
      Map<String, ? extends Work> works,
      RuntimeSettings settings,
      RuntimeServices services) {
    Topology topology = new Topology();
    ByteArrayDeserializer reading = new ByteArrayDeserializer();
    ByteArraySerializer writing = new ByteArraySerializer();
    String letters = settings.names().deadLetters(program.name());
    for (Reference reference : program.references()) {
      String name = reference.name();
      String embed = "embed-" + name;
      Work work = Objects.requireNonNull(works.get(name), name);
      String items = Objects.requireNonNull(work.topic(embedded(name)));
      topology
          .addSource("items-" + name, reading, reading, reference.topic())
          .addProcessor(
              embed,
              new AsyncProcessorSupplier("pending-items-" + name, work, settings, services),
              "items-" + name)
          .addProcessor(embedded(name), () -> new SinkProcessor(items, services, false), embed)
          .addSink("sink-" + embedded(name), items, writing, writing, embedded(name))
          .addProcessor(deadLetters(name), () -> new SinkProcessor(letters, services, true), embed)
          .addSink("sink-" + deadLetters(name), letters, writing, writing, deadLetters(name));
    }
    return topology;
  }

  static String embedded(String reference) {
    return "embedded-" + reference;
  }

  static String deadLetters(String reference) {
    return "dead-letters-" + reference;
  }
}

package dev.abacus.topology.document;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Source;
import dev.abacus.schemas.topic.Topics;
import dev.abacus.topology.runtime.AsyncProcessorSupplier;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;

/**
 * The Kafka Streams topology of a program's documents. It never changes with the plan:
 *
 * <pre>
 *   source topic ──► segment ──► results
 *                       └──────► dead letters
 * </pre>
 *
 * <p>A program of this version is one chain of per-document operators, hence one segment.
 */
public final class DocumentTopology {

  static final String RESULTS = "results";
  static final String DEAD_LETTERS = "dead-letters";
  private static final String SOURCE = "documents";
  private static final String SEGMENT = "segment";
  private static final String PENDING = "pending-documents";

  private DocumentTopology() {}

  /** The topology for one program. */
  public static Topology of(
      Program program, DocumentWork work, RuntimeSettings settings, RuntimeServices services) {
    ByteArrayDeserializer reading = new ByteArrayDeserializer();
    ByteArraySerializer writing = new ByteArraySerializer();
    Source source = program.sources().getFirst();
    return new Topology()
        .addSource(SOURCE, reading, reading, source.topic())
        .addProcessor(
            SEGMENT, new AsyncProcessorSupplier(PENDING, work, settings, services), SOURCE)
        .addSink(RESULTS, program.results().topic(), writing, writing, SEGMENT)
        .addSink(DEAD_LETTERS, Topics.deadLetters(program.name()), writing, writing, SEGMENT);
  }
}

package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.topology.runtime.OutputRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/** A Kafka Streams topology that calls the model inside {@code process}, as the baseline. */
final class SynchronousTopology {

  private SynchronousTopology() {}

  static Topology of(BenchmarkProgram program, BenchmarkWork work) {
    ByteArrayDeserializer reading = new ByteArrayDeserializer();
    ByteArraySerializer writing = new ByteArraySerializer();
    return new Topology()
        .addSource("documents", reading, reading, program.source())
        .addProcessor("synchronous", () -> new SynchronousProcessor(work), "documents")
        .addSink("results", program.program().results().topic(), writing, writing, "synchronous");
  }

  private static final class SynchronousProcessor
      extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

    private final BenchmarkWork work;

    private SynchronousProcessor(BenchmarkWork work) {
      this.work = work;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      try {
        for (OutputRecord output : work.process(record.key(), record.value(), record.timestamp())) {
          context().forward(new Record<>(output.key(), output.value(), output.timestamp()));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

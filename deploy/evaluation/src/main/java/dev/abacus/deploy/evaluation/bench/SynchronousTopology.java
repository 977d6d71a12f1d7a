package dev.abacus.deploy.evaluation.bench;

import dev.abacus.topology.live.DocumentWork;
import dev.abacus.topology.runtime.CallReceipts;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import dev.abacus.topology.runtime.WorkContext;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** A Kafka Streams topology that calls the model inside {@code process}, as the baseline. */
final class SynchronousTopology {

  private SynchronousTopology() {}

  static Topology of(BenchmarkProgram program, DocumentWork work) {
    ByteArrayDeserializer reading = new ByteArrayDeserializer();
    ByteArraySerializer writing = new ByteArraySerializer();
    String source = program.program().sources().getFirst().topic();
    return new Topology()
        .addSource("documents", reading, reading, source)
        .addProcessor("synchronous", () -> new SynchronousProcessor(work), "documents")
        .addSink("results", program.program().results().topic(), writing, writing, "synchronous");
  }

  private static final class SynchronousProcessor
      implements Processor<byte[], byte[], byte[], byte[]> {

    private final DocumentWork work;
    private @Nullable ProcessorContext<byte[], byte[]> context;

    private SynchronousProcessor(DocumentWork work) {
      this.work = work;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> processorContext) {
      context = processorContext;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      InputRecord arrival =
          new InputRecord(record.key(), record.value(), record.timestamp(), List.of(), "", -1, -1);
      PendingRecord job = new PendingRecord(arrival, work.stamp(arrival), Instant.now());
      try {
        forward(work.run(job, NOTHING_KEPT));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void forward(Completion completion) {
      ProcessorContext<byte[], byte[]> to = context;
      if (to == null) {
        throw new IllegalStateException("process before init");
      }
      for (OutputRecord output : completion.outputs()) {
        to.forward(new Record<>(output.key(), output.value(), output.timestamp()));
      }
    }
  }

  private static final WorkContext NOTHING_KEPT =
      new WorkContext() {
        @Override
        public void checkpoint(byte[] state) {}

        @Override
        public CallReceipts receipts() {
          return CallReceipts.NONE;
        }
      };
}

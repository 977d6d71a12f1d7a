package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.topology.runtime.OutputRecord;
import io.confluent.parallelconsumer.ParallelConsumerOptions;
import io.confluent.parallelconsumer.ParallelConsumerOptions.CommitMode;
import io.confluent.parallelconsumer.ParallelConsumerOptions.ProcessingOrder;
import io.confluent.parallelconsumer.ParallelStreamProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Confluent's parallel consumer with transactions, with which an application has the guarantees of
 * the product: a pool of threads, results of one key in the order of their documents, results and
 * offsets committed together.
 */
record ParallelConsumer(BenchmarkProgram program, BenchmarkWork work) {

  ParallelStreamProcessor<byte[], byte[]> start(KafkaConnection connection, int inFlight) {
    String name = program.program().name();
    ParallelStreamProcessor<byte[], byte[]> processor =
        ParallelStreamProcessor.createEosStreamProcessor(
            ParallelConsumerOptions.<byte[], byte[]>builder()
                .ordering(ProcessingOrder.KEY)
                .maxConcurrency(inFlight)
                .consumer(connection.consumer(Map.of("group.id", name)))
                .producer(connection.producer(Map.of("transactional.id", name)))
                .commitMode(CommitMode.PERIODIC_TRANSACTIONAL_PRODUCER)
                .commitInterval(Duration.ofSeconds(1))
                .allowEagerProcessingDuringTransactionCommit(true)
                // It looks into the fields of older clients.
                .ignoreReflectiveAccessExceptionsForAutoCommitDisabledCheck(true)
                .build());
    processor.subscribe(List.of(program.source()));
    processor.pollAndProduceMany(context -> process(context.getSingleConsumerRecord()));
    return processor;
  }

  private List<ProducerRecord<byte[], byte[]>> process(ConsumerRecord<byte[], byte[]> record) {
    try {
      List<ProducerRecord<byte[], byte[]>> results = new ArrayList<>();
      for (OutputRecord output : work.process(record.key(), record.value(), record.timestamp())) {
        results.add(
            new ProducerRecord<>(
                program.program().results().topic(), output.key(), output.value()));
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}

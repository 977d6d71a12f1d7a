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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Starts what applications use instead of the product to call models for the records of a topic.
 */
final class Alternatives {

  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConnection connection;
  private final BenchmarkProgram program;
  private final BenchmarkWork work;
  private final int inFlight;

  Alternatives(
      KafkaConnection connection, BenchmarkProgram program, BenchmarkWork work, int inFlight) {
    this.connection = connection;
    this.program = program;
    this.work = work;
    this.inFlight = inFlight;
  }

  /**
   * Confluent's parallel consumer with transactions: a pool of threads, results and offsets are
   * committed together.
   *
   * @param ordering whether results of one key keep the order of their documents
   */
  AutoCloseable parallelConsumer(ProcessingOrder ordering) {
    ParallelStreamProcessor<byte[], byte[]> processor =
        ParallelStreamProcessor.createEosStreamProcessor(
            ParallelConsumerOptions.<byte[], byte[]>builder()
                .ordering(ordering)
                .maxConcurrency(inFlight)
                .consumer(consumer(Map.of()))
                .producer(connection.producer(Map.of("transactional.id", program.program().name())))
                .commitMode(CommitMode.PERIODIC_TRANSACTIONAL_PRODUCER)
                .commitInterval(Duration.ofSeconds(1))
                .allowEagerProcessingDuringTransactionCommit(true)
                // It looks into the fields of older clients.
                .ignoreReflectiveAccessExceptionsForAutoCommitDisabledCheck(true)
                .build());
    processor.subscribe(List.of(program.source()));
    processor.pollAndProduceMany(context -> process(context.getSingleConsumerRecord()));
    return processor::closeDontDrainFirst;
  }

  /**
   * A consumer that processes the records of each poll in virtual threads, waits for all, and
   * commits their offsets after their results.
   */
  AutoCloseable virtualThreads() {
    AtomicBoolean stopping = new AtomicBoolean();
    Thread thread = Thread.ofPlatform().name("bench-consumer").start(() -> consume(stopping));
    return () -> {
      stopping.set(true);
      thread.join();
    };
  }

  private void consume(AtomicBoolean stopping) {
    try (Consumer<byte[], byte[]> consumer = consumer(Map.of("max.poll.records", inFlight));
        Producer<byte[], byte[]> producer = connection.producer(Map.of())) {
      consumer.subscribe(List.of(program.source()));
      while (!stopping.get()) {
        List<Thread> batch = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          batch.add(
              Thread.startVirtualThread(() -> {
                for (ProducerRecord<byte[], byte[]> result : process(record)) {
                  var _ = producer.send(result);
                }
              }));
        }
        for (Thread one : batch) {
          one.join();
        }
        producer.flush();
        consumer.commitSync();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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

  private Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("group.id", program.program().name());
    return connection.consumer(properties);
  }
}

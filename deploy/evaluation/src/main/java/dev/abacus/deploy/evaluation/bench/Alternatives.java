package dev.abacus.deploy.evaluation.bench;

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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Starts what applications use instead of the product to call models for the records of a topic.
 */
final class Alternatives {

  private static final Duration POLL = Duration.ofMillis(100);

  private final String bootstrapServers;
  private final BenchmarkProgram program;
  private final BenchmarkWork work;
  private final int inFlight;

  Alternatives(
      String bootstrapServers, BenchmarkProgram program, BenchmarkWork work, int inFlight) {
    this.bootstrapServers = bootstrapServers;
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
                .producer(producer(Map.of("transactional.id", program.program().name())))
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
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(Map.of("max.poll.records", inFlight));
        KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
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

  private KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("bootstrap.servers", bootstrapServers);
    properties.put("group.id", program.program().name());
    properties.put("auto.offset.reset", "earliest");
    properties.put("enable.auto.commit", false);
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("bootstrap.servers", bootstrapServers);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }
}

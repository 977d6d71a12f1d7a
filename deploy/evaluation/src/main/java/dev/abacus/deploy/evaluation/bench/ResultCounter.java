package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.flow.ArrivalTimes;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Counts committed results and dead letters as they arrive. */
final class ResultCounter implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Set<String> documents = new HashSet<>();
  private final ArrivalTimes arrivals = new ArrivalTimes();
  private final String deadLetterTopic;
  private long duplicates;
  private long deadLetters;

  ResultCounter(String bootstrapServers, Program program) {
    deadLetterTopic = KafkaNames.UNPREFIXED.deadLetters(program.name());
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                false),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        Stream.of(program.results().topic(), deadLetterTopic)
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /**
   * Waits for {@code wanted} distinct results.
   *
   * @throws IllegalStateException if no result arrives for {@code longestSilence}
   */
  void awaitResults(int wanted, Duration longestSilence, LongConsumer progress) {
    long quietSince = System.nanoTime();
    while (documents.size() < wanted) {
      if (poll()) {
        quietSince = System.nanoTime();
        progress.accept(documents.size());
      } else if (System.nanoTime() - quietSince > longestSilence.toNanos()) {
        throw new IllegalStateException(
            "no result for %d s after %d of %d"
                .formatted(longestSilence.toSeconds(), documents.size(), wanted));
      }
    }
  }

  /** Counts for the given time, from the first result. */
  void awaitTime(Duration time, Duration longestSilence) {
    awaitResults(1, longestSilence, _ -> {});
    long end = arrivals.first() + time.toNanos();
    while (System.nanoTime() < end) {
      poll();
    }
  }

  private boolean poll() {
    boolean any = false;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      any = true;
      deadLetters += record.topic().equals(deadLetterTopic) ? 1 : 0;
      if (documents.add(BenchmarkProgram.id(record.value()))) {
        arrivals.add(System.nanoTime());
      } else {
        duplicates++;
      }
    }
    return any;
  }

  /** Returns results per second without start and end; see {@link ArrivalTimes#steadyRate}. */
  double steadyRate() {
    return arrivals.steadyRate();
  }

  /** Returns results per second from the first to the last result. */
  double wholeRate() {
    return seconds() <= 0 ? 0 : (arrivals.count() - 1) / seconds();
  }

  long results() {
    return documents.size();
  }

  long duplicates() {
    return duplicates;
  }

  long deadLetters() {
    return deadLetters;
  }

  double seconds() {
    return arrivals.seconds();
  }

  @Override
  public void close() {
    consumer.close();
  }
}

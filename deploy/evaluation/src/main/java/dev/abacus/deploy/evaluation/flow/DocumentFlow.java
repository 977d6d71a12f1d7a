package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Sends numbered documents to a program with one source and reads the committed results. Every
 * document has a unique key, so the keys show lost documents and duplicates. One thread calls all
 * methods and alternates between sending and polling.
 */
final class DocumentFlow implements AutoCloseable {

  /** Time to poll after the last result, to detect duplicates. */
  private static final Duration FOR_DUPLICATES = Duration.ofSeconds(2);

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration BRIEFLY = Duration.ofMillis(10);
  private static final long QUEUED = 5;

  private final String source;
  private final String deadLetterTopic;
  private final java.util.function.Consumer<CommittedResult> listener;
  private final Producer<byte[], byte[]> producer;
  private final Consumer<byte[], byte[]> consumer;
  private final Set<String> arrived = new HashSet<>();
  private long sent;
  private long duplicates;
  private long deadLetters;

  /**
   * Connects to the program's topics, which must exist.
   *
   * @param listener receives the first result of every document, but no dead letters
   */
  DocumentFlow(
      KafkaConnection connection,
      Program program,
      java.util.function.Consumer<CommittedResult> listener) {
    this.source = program.sources().getFirst().topic();
    this.deadLetterTopic = connection.names().deadLetters(program.name());
    this.listener = listener;
    this.producer = connection.producer(Map.of());
    this.consumer = connection.consumer(Map.of());
    List<TopicPartition> partitions =
        Stream.of(program.results().topic(), deadLetterTopic)
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Sends {@code many} more documents; none if the number is not above 0. */
  void send(long many) {
    for (long i = 0; i < many; i++, sent++) {
      byte[] key = ("d-" + sent).getBytes(StandardCharsets.UTF_8);
      String value = "{\"text\":\"Message %d: the parcel has not come.\"}".formatted(sent);
      var _ =
          producer.send(new ProducerRecord<>(source, key, value.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /**
   * Keeps {@link #QUEUED} times as many documents waiting as all workers can have in flight. They
   * include those that wait for a commit, and keys do not spread them evenly, so with a factor of 2
   * a partition was often empty.
   */
  void keepWaiting(int inFlight, Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() - end < 0) {
      send(QUEUED * inFlight - waiting());
      look(BRIEFLY);
    }
  }

  /**
   * Polls for results.
   *
   * @param atMost longest wait for the first result
   * @return whether any result arrived
   */
  boolean look(Duration atMost) {
    boolean any = false;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(atMost)) {
      any = true;
      take(new CommittedResult(System.nanoTime(), record));
    }
    return any;
  }

  private void take(CommittedResult result) {
    boolean dead = result.record().topic().equals(deadLetterTopic);
    if (!arrived.add(result.key())) {
      duplicates++;
    } else if (dead) {
      deadLetters++;
    } else {
      listener.accept(result);
    }
  }

  /**
   * Waits until every document has a result or a dead letter, or until none arrives for {@code
   * longestSilence}. Then polls for duplicates.
   */
  void drain(Duration longestSilence) {
    long quietSince = System.nanoTime();
    while (waiting() > 0 && System.nanoTime() - quietSince < longestSilence.toNanos()) {
      if (look(POLL)) {
        quietSince = System.nanoTime();
      }
    }
    long end = System.nanoTime() + FOR_DUPLICATES.toNanos();
    while (System.nanoTime() < end) {
      look(POLL);
    }
  }

  long sent() {
    return sent;
  }

  /**
   * Returns the number of documents without a result or dead letter; after {@link #drain}, the
   * number of lost documents.
   */
  long waiting() {
    return sent - arrived.size();
  }

  /** Returns the number of results and dead letters beyond one per document. */
  long duplicates() {
    return duplicates;
  }

  long deadLetters() {
    return deadLetters;
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}

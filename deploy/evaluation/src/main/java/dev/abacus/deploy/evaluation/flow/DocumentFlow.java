package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.kafka.Topics;
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
 * Sends numbered documents to a program of one source, and watches for what it commits. Every
 * document has a key of its own, so what was lost and what came twice is known by its keys. Used by
 * one thread, which sends and looks by turns.
 */
final class DocumentFlow implements AutoCloseable {

  /** Whatever still came so long after the last document was done would be a duplicate. */
  private static final Duration FOR_DUPLICATES = Duration.ofSeconds(2);

  private static final Duration POLL = Duration.ofMillis(100);

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
   * Connects to the program's topics, which must be there.
   *
   * @param listener told of the first result of every document; not of dead letters
   */
  DocumentFlow(
      KafkaConnection connection,
      Program program,
      java.util.function.Consumer<CommittedResult> listener) {
    this.source = program.sources().getFirst().topic();
    this.deadLetterTopic = Topics.deadLetters(program.name());
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

  /** Sends so many more documents; none if it is not above 0. */
  void send(long many) {
    for (long i = 0; i < many; i++, sent++) {
      byte[] key = ("d-" + sent).getBytes(StandardCharsets.UTF_8);
      String value = "{\"text\":\"Message %d: the parcel has not come.\"}".formatted(sent);
      var _ =
          producer.send(new ProducerRecord<>(source, key, value.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Looks for results, waiting that long at most for the first; whether there were any. */
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
   * Waits until every document has come out, or nothing has for so long; then for what comes twice.
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

  /** Documents that were sent and have not come out yet; after {@link #drain}, those lost. */
  long waiting() {
    return sent - arrived.size();
  }

  /** Results and dead letters beyond one per document. */
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

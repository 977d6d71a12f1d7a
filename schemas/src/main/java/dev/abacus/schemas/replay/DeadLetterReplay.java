package dev.abacus.schemas.replay;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Sends the dead letters of a program that were not replayed before to the topics that they came
 * from. The offsets of a group state how far the letters were replayed.
 */
public final class DeadLetterReplay {

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** A replay of many letters is one transaction. */
  private static final int TRANSACTION_MILLIS = 300_000;

  private final KafkaNames names;
  private final Program program;
  private final Clients clients;

  /** Opens Kafka clients. */
  public interface Clients {

    /** A consumer that reads committed records from the beginning and commits no offsets. */
    Consumer<byte[], byte[]> consumer(Map<String, Object> more);

    /** A producer. */
    Producer<byte[], byte[]> producer(Map<String, Object> more);
  }

  /**
   * Numbers of letters.
   *
   * @param replayable whole records of a source or a reference
   * @param left letters that cannot be replayed because they come from several records or were
   *     shortened
   */
  public record Letters(int replayable, int left) {}

  public DeadLetterReplay(KafkaNames names, Program program, Clients clients) {
    this.names = names;
    this.program = program;
    this.clients = clients;
  }

  /** The letters that {@link #replay} would send. */
  public Letters pending() {
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      Count count = new Count();
      read(consumer, letter -> count.add(origin(program, letter) != null));
      return count.letters();
    }
  }

  /**
   * Sends each letter that was not replayed before, with its key, value and headers. Commits the
   * offsets in the same transaction, so no letter is replayed twice, also by two replays at once.
   *
   * @throws KafkaException if nothing was replayed
   */
  public Letters replay() {
    try (Producer<byte[], byte[]> producer =
            clients.producer(
                Map.of(
                    ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                    names.replay(program.name()),
                    ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                    TRANSACTION_MILLIS));
        Consumer<byte[], byte[]> consumer = consumer()) {
      // Ends a replay that still runs, so that the offsets are final.
      producer.initTransactions();
      producer.beginTransaction();
      try {
        Count count = new Count();
        Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
        read(
            consumer,
            letter -> {
              String target = origin(program, letter);
              if (target != null) {
                // If the broker refuses a record, the commit fails.
                var _ = producer.send(again(letter, target));
              }
              count.add(target != null);
              done.put(partition(letter), new OffsetAndMetadata(letter.offset() + 1));
            });
        if (!done.isEmpty()) {
          producer.sendOffsetsToTransaction(done, consumer.groupMetadata());
        }
        producer.commitTransaction();
        return count.letters();
      } catch (ProducerFencedException e) {
        throw new KafkaException("another replay has started", e);
      } catch (RuntimeException e) {
        abort(producer, e);
        throw e;
      }
    }
  }

  private static void abort(Producer<?, ?> producer, RuntimeException cause) {
    try {
      producer.abortTransaction();
    } catch (KafkaException e) {
      cause.addSuppressed(e);
    }
  }

  private Consumer<byte[], byte[]> consumer() {
    return clients.consumer(Map.of(ConsumerConfig.GROUP_ID_CONFIG, names.replay(program.name())));
  }

  /** Reads from the committed offsets to the present ends. */
  private void read(
      Consumer<byte[], byte[]> consumer,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
    TopicRange all = TopicRange.all(consumer, names.deadLetters(program.name()));
    Map<TopicPartition, Long> replayed = new HashMap<>();
    consumer
        .committed(all.end().keySet())
        .forEach((partition, offset) -> {
          if (offset != null) {
            replayed.put(partition, offset.offset());
          }
        });
    all.startingAt(replayed).read(consumer, PATIENCE, visitor);
  }

  /**
   * The topic that a letter came from, if the program reads it; null if the letter comes from
   * several records or was shortened. A letter of another producer may not name its topic; then it
   * is the program's source if there is only one.
   */
  public static @Nullable String origin(Program program, ConsumerRecord<byte[], byte[]> letter) {
    if (letter.headers().lastHeader(Headers.ORIGINAL_SIZE) != null) {
      return null;
    }
    List<String> sources = program.sources().stream().map(Source::topic).toList();
    Header header = letter.headers().lastHeader(Headers.EXCEPTION_TOPIC);
    if (header == null) {
      return sources.size() == 1 ? sources.getFirst() : null;
    }
    String named = header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    boolean read =
        sources.contains(named)
            || program.references().stream().anyMatch(each -> each.topic().equals(named));
    return read ? named : null;
  }

  /** The record that replays a letter. Headers that the product added are not part of it. */
  public static ProducerRecord<byte[], byte[]> again(
      ConsumerRecord<byte[], byte[]> letter, String topic) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, letter.key(), letter.value());
    for (Header header : letter.headers()) {
      if (!header.key().startsWith("abacus-") && !header.key().startsWith("__streams.errors.")) {
        record.headers().add(header);
      }
    }
    return record;
  }

  private static TopicPartition partition(ConsumerRecord<?, ?> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  /** Counts letters. */
  private static final class Count {
    private int replayable;
    private int left;

    void add(boolean isReplayable) {
      if (isReplayable) {
        replayable++;
      } else {
        left++;
      }
    }

    Letters letters() {
      return new Letters(replayable, left);
    }
  }
}

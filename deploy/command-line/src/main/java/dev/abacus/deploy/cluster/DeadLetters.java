package dev.abacus.deploy.cluster;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Topics;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Documents of a program that failed: lists them, and sends them round again. */
public final class DeadLetters {

  private final KafkaConnection connection;
  private final Program program;

  public DeadLetters(KafkaConnection connection, Program program) {
    this.connection = connection;
    this.program = program;
  }

  /**
   * A dead letter.
   *
   * @param replayable whether there is one record that it came from; a group of documents has none
   * @param replayed whether it was sent round again already
   * @param operator the operator that failed; empty if the record does not say
   * @param attempts how often the failing call was tried; empty if the record does not say
   * @param reason why, in the words of the data plane
   * @param source where the document stands on the source topic
   */
  public record Letter(
      String key,
      String position,
      Instant at,
      boolean replayable,
      boolean replayed,
      String operator,
      String attempts,
      String reason,
      String source) {}

  /** All that there are, oldest first within a partition. */
  public List<Letter> list() {
    String topic = topic();
    connection.requireTopics(List.of(topic));
    List<Letter> letters = new ArrayList<>();
    try (Consumer<byte[], byte[]> offsets = consumer()) {
      Map<TopicPartition, Long> replayed = committed(offsets);
      TopicReader.read(
          connection,
          topic,
          record ->
              letters.add(
                  letter(record, record.offset() < replayed.getOrDefault(partition(record), 0L))));
    }
    return letters;
  }

  /**
   * What was replayed.
   *
   * @param sent letters that were sent again
   * @param left letters that stay, because what failed was made of several records
   */
  public record Replayed(int sent, int left) {}

  /**
   * Sends every letter that was not replayed yet to the topic that it came from again, with its own
   * key, value and headers. What was replayed is remembered in the same transaction, so no letter
   * is replayed twice.
   */
  public Replayed replay() {
    connection.requireTopics(List.of(topic()));
    try (Consumer<byte[], byte[]> consumer = consumer();
        Producer<byte[], byte[]> producer = transactional()) {
      Map<TopicPartition, Long> from = committed(consumer);
      Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
      List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
      TopicReader.read(
          connection,
          topic(),
          record -> {
            if (record.offset() >= from.getOrDefault(partition(record), 0L)) {
              letters.add(record);
              done.put(partition(record), new OffsetAndMetadata(record.offset() + 1));
            }
          });
      if (letters.isEmpty()) {
        return new Replayed(0, 0);
      }
      List<ProducerRecord<byte[], byte[]>> again = again(letters);
      producer.initTransactions();
      producer.beginTransaction();
      for (ProducerRecord<byte[], byte[]> record : again) {
        // A record that is not taken makes the commit fail.
        var _ = producer.send(record);
      }
      producer.sendOffsetsToTransaction(done, consumer.groupMetadata());
      producer.commitTransaction();
      return new Replayed(again.size(), letters.size() - again.size());
    } catch (KafkaException e) {
      throw refused(e);
    }
  }

  /** Sends the letters of these keys again, whether they were replayed before or not. */
  public Replayed replay(Set<String> keys) {
    connection.requireTopics(List.of(topic()));
    List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
    TopicReader.read(
        connection,
        topic(),
        record -> {
          if (keys.contains(RecordText.key(record))) {
            letters.add(record);
          }
        });
    List<ProducerRecord<byte[], byte[]>> again = again(letters);
    try (Producer<byte[], byte[]> producer = connection.producer(Map.of())) {
      List<Future<RecordMetadata>> sent = again.stream().map(producer::send).toList();
      for (Future<RecordMetadata> future : sent) {
        future.get();
      }
    } catch (KafkaException | ExecutionException e) {
      throw refused(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused(e);
    }
    return new Replayed(again.size(), letters.size() - again.size());
  }

  /** The records to send for those letters that came from one; their topics are there. */
  private List<ProducerRecord<byte[], byte[]>> again(List<ConsumerRecord<byte[], byte[]>> letters) {
    List<ProducerRecord<byte[], byte[]>> again = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> letter : letters) {
      String target = cameFrom(letter);
      if (target != null) {
        again.add(again(letter, target));
      }
    }
    connection.requireTopics(again.stream().map(ProducerRecord::topic).distinct().toList());
    return again;
  }

  /**
   * The topic that a letter came from, if it is one that the program reads; null if what failed was
   * made of several records. Letters of other hands do not always name it: a program with one
   * source leaves no doubt.
   */
  private @Nullable String cameFrom(ConsumerRecord<byte[], byte[]> letter) {
    List<String> sources = program.sources().stream().map(Source::topic).toList();
    if (letter.headers().lastHeader(Headers.EXCEPTION_TOPIC) == null) {
      return sources.size() == 1 ? sources.getFirst() : null;
    }
    String named = RecordText.header(letter, Headers.EXCEPTION_TOPIC);
    boolean read =
        sources.contains(named)
            || program.references().stream().anyMatch(each -> each.topic().equals(named));
    return read ? named : null;
  }

  private static ProducerRecord<byte[], byte[]> again(
      ConsumerRecord<byte[], byte[]> letter, String topic) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, letter.key(), letter.value());
    for (Header header : letter.headers()) {
      // What the product added is not the document's own.
      if (!header.key().startsWith("abacus-") && !header.key().startsWith("__streams.errors.")) {
        record.headers().add(header);
      }
    }
    return record;
  }

  private Letter letter(ConsumerRecord<byte[], byte[]> record, boolean behind) {
    boolean replayable = cameFrom(record) != null;
    return new Letter(
        RecordText.key(record),
        "%s-%d@%d".formatted(record.topic(), record.partition(), record.offset()),
        Instant.ofEpochMilli(record.timestamp()),
        replayable,
        replayable && behind,
        RecordText.header(record, Headers.OPERATOR),
        RecordText.header(record, Headers.ATTEMPTS),
        RecordText.header(record, Headers.EXCEPTION_MESSAGE),
        RecordText.header(record, Headers.SOURCE));
  }

  private Map<TopicPartition, Long> committed(Consumer<byte[], byte[]> consumer) {
    Map<TopicPartition, Long> committed = new HashMap<>();
    consumer.partitionsFor(topic()).stream()
        .map(info -> new TopicPartition(topic(), info.partition()))
        .forEach(partition -> {
          OffsetAndMetadata offset = consumer.committed(Set.of(partition)).get(partition);
          committed.put(partition, offset == null ? 0L : offset.offset());
        });
    return committed;
  }

  private Consumer<byte[], byte[]> consumer() {
    return connection.consumer(Map.of(ConsumerConfig.GROUP_ID_CONFIG, group()));
  }

  private Producer<byte[], byte[]> transactional() {
    return connection.producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, group()));
  }

  private String group() {
    return "replay-" + program.name();
  }

  private String topic() {
    return Topics.deadLetters(program.name());
  }

  private static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  private static OperationFailedException refused(Exception e) {
    return new OperationFailedException(
        "nothing was replayed: " + e.getMessage(),
        "Check the connection and whether this user may write to the topics that the program reads.",
        e);
  }
}

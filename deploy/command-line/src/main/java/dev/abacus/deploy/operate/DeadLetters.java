package dev.abacus.deploy.operate;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.topic.Headers;
import dev.abacus.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
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
   * Sends every letter that was not replayed yet to the source topic again, with its own key, value
   * and headers. What was replayed is remembered in the same transaction, so no letter is replayed
   * twice.
   *
   * @return how many
   */
  public int replay() {
    connection.requireTopics(List.of(topic(), sourceTopic()));
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
        return 0;
      }
      producer.initTransactions();
      producer.beginTransaction();
      for (ConsumerRecord<byte[], byte[]> letter : letters) {
        // A record that is not taken makes the commit fail.
        var _ = producer.send(again(letter));
      }
      producer.sendOffsetsToTransaction(done, consumer.groupMetadata());
      producer.commitTransaction();
      return letters.size();
    } catch (KafkaException e) {
      throw refused(e);
    }
  }

  /**
   * Sends the letters of these keys again, whether they were replayed before or not.
   *
   * @return how many
   */
  public int replay(Set<String> keys) {
    connection.requireTopics(List.of(topic(), sourceTopic()));
    List<ProducerRecord<byte[], byte[]>> again = new ArrayList<>();
    TopicReader.read(
        connection,
        topic(),
        record -> {
          if (keys.contains(key(record))) {
            again.add(again(record));
          }
        });
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
    return again.size();
  }

  private ProducerRecord<byte[], byte[]> again(ConsumerRecord<byte[], byte[]> letter) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(sourceTopic(), letter.key(), letter.value());
    for (Header header : letter.headers()) {
      // What the product added is not the document's own.
      if (!header.key().startsWith("abacus-") && !header.key().startsWith("__streams.errors.")) {
        record.headers().add(header);
      }
    }
    return record;
  }

  private Letter letter(ConsumerRecord<byte[], byte[]> record, boolean replayed) {
    return new Letter(
        key(record),
        "%s-%d@%d".formatted(record.topic(), record.partition(), record.offset()),
        Instant.ofEpochMilli(record.timestamp()),
        replayed,
        header(record, Headers.OPERATOR),
        header(record, Headers.ATTEMPTS),
        header(record, Headers.EXCEPTION_MESSAGE),
        header(record, Headers.SOURCE));
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

  private String sourceTopic() {
    return program.sources().getFirst().topic();
  }

  private static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  private static String key(ConsumerRecord<byte[], byte[]> record) {
    return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static OperationFailedException refused(Exception e) {
    return new OperationFailedException(
        "nothing was replayed: " + e.getMessage(),
        "Check the connection and whether this user may write to the source topic.",
        e);
  }
}

package dev.abacus.deploy.cluster;

import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.replay.DeadLetterReplay;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Lists and replays the dead letters of a program. */
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
   * @param key the record key
   * @param position {@code topic-partition@offset} of the dead letter
   * @param at the record's timestamp
   * @param replayable whether it is a whole source record, not a group of documents or shortened
   * @param replayed whether it was replayed before
   * @param operator id of the operator that failed; empty if the header is missing
   * @param attempts number of attempts of the failing call; empty if the header is missing
   * @param reason the message of the data plane
   * @param source {@code topic-partition@offset} of the source record
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

  /** Lists all dead letters, in offset order within a partition. */
  public List<Letter> list() {
    String topic = topic();
    connection.requireAccess(Role.LIST_DEAD_LETTERS, List.of(program));
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
   * The outcome of a replay.
   *
   * @param sent number of replayed letters
   * @param left number of letters that cannot be replayed because they come from several records or
   *     were shortened
   */
  public record Replayed(int sent, int left) {}

  /**
   * Sends every letter that was not replayed before to the topic that it came from, with its key,
   * value and headers. Commits the offsets in the same transaction, so no letter is replayed twice.
   */
  public Replayed replay() {
    connection.requireAccess(Role.REPLAY_DEAD_LETTERS, List.of(program));
    connection.requireTopics(List.of(topic()));
    connection.requireTopics(
        Stream.concat(
                program.sources().stream().map(Source::topic),
                program.references().stream().map(Reference::topic))
            .distinct()
            .toList());
    try {
      DeadLetterReplay.Letters letters =
          new DeadLetterReplay(connection.names(), program, clients()).replay();
      return new Replayed(letters.replayable(), letters.left());
    } catch (KafkaException e) {
      throw refused(e);
    }
  }

  private DeadLetterReplay.Clients clients() {
    return new DeadLetterReplay.Clients() {
      @Override
      public Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
        return connection.consumer(more);
      }

      @Override
      public Producer<byte[], byte[]> producer(Map<String, Object> more) {
        return connection.producer(more);
      }
    };
  }

  /** Replays the letters with these keys, also if they were replayed before. */
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
    connection.send(again, Map.of(), "nothing was replayed");
    return new Replayed(again.size(), letters.size() - again.size());
  }

  /** The records to send for the replayable letters. */
  private List<ProducerRecord<byte[], byte[]>> again(List<ConsumerRecord<byte[], byte[]>> letters) {
    List<ProducerRecord<byte[], byte[]>> again = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> letter : letters) {
      String target = DeadLetterReplay.origin(program, letter);
      if (target != null) {
        again.add(DeadLetterReplay.again(letter, target));
      }
    }
    return again;
  }

  private Letter letter(ConsumerRecord<byte[], byte[]> record, boolean replayed) {
    boolean replayable = DeadLetterReplay.origin(program, record) != null;
    return new Letter(
        RecordText.key(record),
        "%s-%d@%d".formatted(record.topic(), record.partition(), record.offset()),
        Instant.ofEpochMilli(record.timestamp()),
        replayable,
        replayable && replayed,
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

  private String group() {
    return connection.names().replay(program.name());
  }

  private String topic() {
    return connection.names().deadLetters(program.name());
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

package dev.abacus.deploy.cluster;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.replay.DeadLetterReplay;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;

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
    Map<Integer, DeadLetterReplay.Replayed> replayed =
        replay(DeadLetterReplay::replayed, "Run it again.");
    TopicReader.read(
        connection,
        topic,
        record -> {
          DeadLetterReplay.Replayed done = replayed.get(record.partition());
          letters.add(letter(record, done != null && done.has(record.offset())));
        });
    return letters;
  }

  /**
   * Sends every letter that was not replayed before to the topic that it came from, with its key,
   * value and headers. Commits the offsets in the same transaction, so no letter is replayed twice.
   */
  public DeadLetterReplay.Letters replay() {
    connection.requireAccess(Role.REPLAY_DEAD_LETTERS, List.of(program));
    connection.requireTopics(List.of(topic()));
    connection.requireTopics(origins());
    return send(DeadLetterReplay::replay, "Run it again: no letter is sent twice.");
  }

  private List<String> origins() {
    return Stream.concat(
            program.sources().stream().map(Source::topic),
            program.references().stream().map(Reference::topic))
        .distinct()
        .toList();
  }

  private <T> T replay(Function<DeadLetterReplay, T> replay, String advice) {
    PatientWriting writing = new PatientWriting(connection, origins());
    try {
      DeadLetterReplay letters = new DeadLetterReplay(connection.names(), program, connection);
      return writing.run(() -> replay.apply(letters));
    } catch (KafkaException e) {
      throw new OperationFailedException(
          "the replay did not end: " + e.getMessage() + writing.lacks(),
          "Check the connection and whether this user may write to the topics that the program reads. "
              + advice,
          e);
    }
  }

  private DeadLetterReplay.Letters send(
      Function<DeadLetterReplay, DeadLetterReplay.Letters> replay, String advice) {
    Thread abort = Thread.ofPlatform().unstarted(this::abort);
    Runtime.getRuntime().addShutdownHook(abort);
    try {
      return replay(replay, advice);
    } finally {
      forget(abort);
    }
  }

  /** Whoever reads the sources would wait for the end of the transaction of a stopped command. */
  private void abort() {
    try (Admin admin = connection.admin()) {
      get(admin.fenceProducers(List.of(connection.names().replay(program.name()))).all());
    } catch (KafkaException e) {
      System.err.printf(
          "The replay may not have ended; run it again, or readers of %s wait for transaction.timeout.ms: %s%n",
          String.join(", ", origins()), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread hook) {
    try {
      var _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM ends already.
    }
  }

  /** Replays the letters with these keys, also if they were replayed before. */
  public DeadLetterReplay.Letters replay(Set<String> keys) {
    connection.requireTopics(List.of(topic()));
    return send(
        all -> all.replay(letter -> keys.contains(RecordText.key(letter))),
        "Look at the list before you run it again: letters with keys are sent whether or not they were before.");
  }

  private Letter letter(ConsumerRecord<byte[], byte[]> record, boolean replayed) {
    boolean replayable = DeadLetterReplay.origin(program, record) != null;
    return new Letter(
        RecordText.key(record),
        RecordPosition.of(record).toString(),
        Instant.ofEpochMilli(record.timestamp()),
        replayable,
        replayable && replayed,
        RecordText.header(record, Headers.OPERATOR),
        RecordText.header(record, Headers.ATTEMPTS),
        RecordText.header(record, Headers.EXCEPTION_MESSAGE),
        RecordText.origin(record));
  }

  private String topic() {
    return connection.names().deadLetters(program.name());
  }
}

package dev.abacus.deploy.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.deploy.job.DocumentFormats;
import dev.abacus.deploy.replay.ProcessedDocuments.Processed;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The results and dead letters that a program made of documents.
 *
 * @param results by position of the document
 * @param keys of all results
 */
public record ResultsInForce(Map<String, Result> results, Set<String> keys) {

  /**
   * How far documents may be ahead of the clock, as brokers have it; their results and dead letters
   * have the time at which they were written.
   */
  private static final Duration AHEAD = Duration.ofHours(1);

  /**
   * What became of a document.
   *
   * @param outputs in their order; empty for a dead letter
   * @param failed id of the operator that failed; null for a result
   * @param epoch of its plan; null if no header states it
   * @param cost USD
   */
  public record Result(
      List<ObjectNode> outputs, @Nullable String failed, @Nullable Long epoch, double cost) {

    private static Result of(
        ConsumerRecord<byte[], byte[]> record, List<ObjectNode> outputs, @Nullable String failed) {
      return new Result(outputs, failed, RecordText.epoch(record), RecordText.costUsd(record));
    }

    private Result and(Result next) {
      List<ObjectNode> all = new ArrayList<>(outputs);
      all.addAll(next.outputs);
      return new Result(all, null, next.epoch, cost + next.cost);
    }
  }

  /**
   * Reads the results topic and the dead letters, from an hour before the oldest document.
   *
   * @throws OperationFailedException if a result cannot be read
   */
  public static ResultsInForce read(
      KafkaConnection connection, Program program, List<Processed> documents) {
    Map<String, Result> results = new HashMap<>();
    Set<String> keys = new HashSet<>();
    Set<String> wanted = new HashSet<>();
    documents.forEach(document -> wanted.add(document.position()));
    long since = since(program, documents);
    String topic = program.results().topic();
    try (DocumentFormats formats = new DocumentFormats(connection.properties())) {
      formats.require(topic, program.results().format());
      each(
          connection,
          topic,
          since,
          record -> {
            String source = RecordText.header(record, Headers.SOURCE);
            if (wanted.contains(source)
                && record.value() != null
                && RecordText.header(record, Headers.PROGRAM).equals(program.name())) {
              Result one = Result.of(record, List.of(formats.result(program, record)), null);
              results.merge(source, one, Result::and);
            }
            keys.add(RecordText.key(record));
          });
    }
    each(
        connection,
        connection.names().deadLetters(program.name()),
        since,
        record -> {
          String source = RecordText.origin(record);
          if (wanted.contains(source)) {
            String operator = RecordText.header(record, Headers.OPERATOR);
            results.put(source, Result.of(record, List.of(), operator));
          }
        });
    return new ResultsInForce(results, keys);
  }

  /** The time before which no result or dead letter of the documents was written. */
  static long since(Program program, List<Processed> documents) {
    // Results have the time of their documents, which may be one that a field states.
    boolean ordered = program.sources().stream().allMatch(source -> source.time() == null);
    long oldest = ordered ? documents.stream().mapToLong(Processed::timestamp).min().orElse(0) : 0;
    return Math.max(0, oldest - AHEAD.toMillis());
  }

  private static void each(
      KafkaConnection connection,
      String topic,
      long since,
      Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
    connection.requireTopics(List.of(topic));
    try (var consumer = connection.consumer(Map.of())) {
      TopicRange.all(consumer, topic)
          .since(consumer, since)
          .read(consumer, ProcessedDocuments.PATIENCE, visitor);
    }
  }

  /** The result or dead letter of a document; null if the topics have none. */
  @Nullable Result of(String position) {
    return results.get(position);
  }

  /** Whether a later document of the key has a result, so that compaction may remove this one's. */
  boolean hasKey(String key) {
    return keys.contains(key);
  }
}

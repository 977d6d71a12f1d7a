package dev.abacus.deploy.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.deploy.job.DocumentFormat;
import dev.abacus.deploy.replay.ProcessedDocuments.Processed;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The results and dead letters that a program made of documents, by the documents' positions. */
public final class ResultsInForce {

  private final Map<String, Result> results;
  private final Set<String> keys;

  /**
   * What became of a document.
   *
   * @param outputs in their order; empty for a dead letter
   * @param failed id of the operator that failed; null for a result
   * @param epoch of its plan; null if no header states it
   * @param cost USD
   */
  public record Result(
      List<ObjectNode> outputs, @Nullable String failed, @Nullable Long epoch, double cost) {}

  /**
   * Known results.
   *
   * @param results by position of the document
   * @param keys of all results
   */
  ResultsInForce(Map<String, Result> results, Set<String> keys) {
    this.results = new HashMap<>(results);
    this.keys = new HashSet<>(keys);
  }

  /**
   * Reads the results topic and the dead letters, from the time of the oldest document.
   *
   * @throws OperationFailedException if a result cannot be read
   */
  public static ResultsInForce read(
      KafkaConnection connection,
      Program program,
      DocumentFormat format,
      List<Processed> documents) {
    ResultsInForce found = new ResultsInForce(Map.of(), Set.of());
    Set<String> wanted = new HashSet<>();
    documents.forEach(document -> wanted.add(document.position()));
    // Results have the time of their documents, which may be one that a field states.
    boolean ordered = program.sources().stream().allMatch(source -> source.time() == null);
    long since = ordered ? documents.stream().mapToLong(Processed::timestamp).min().orElse(0) : 0;
    each(
        connection,
        program.results().topic(),
        since,
        record -> {
          if (wanted.contains(RecordText.header(record, Headers.SOURCE))
              && record.value() != null
              && RecordText.header(record, Headers.PROGRAM).equals(program.name())) {
            found.result(record, format);
          }
          found.keys.add(RecordText.key(record));
        });
    each(
        connection,
        connection.names().deadLetters(program.name()),
        since,
        record -> {
          String source = RecordText.origin(record);
          if (wanted.contains(source)) {
            found.results.put(
                source,
                new Result(
                    List.of(),
                    RecordText.header(record, Headers.OPERATOR),
                    RecordText.epoch(record),
                    RecordText.costUsd(record)));
          }
        });
    return found;
  }

  private static void each(
      KafkaConnection connection,
      String topic,
      long since,
      Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
    connection.requireTopics(List.of(topic));
    try (var consumer = connection.consumer(Map.of())) {
      TopicRange all = TopicRange.all(consumer, topic);
      Map<TopicPartition, Long> times = new HashMap<>();
      all.end().keySet().forEach(partition -> times.put(partition, since));
      Map<TopicPartition, Long> starts = new HashMap<>(all.end());
      consumer
          .offsetsForTimes(times)
          .forEach((partition, first) -> {
            // Null if all records are older.
            if (first != null) {
              starts.put(partition, first.offset());
            }
          });
      all.startingAt(starts).read(consumer, ProcessedDocuments.PATIENCE, visitor);
    }
  }

  private void result(ConsumerRecord<byte[], byte[]> record, DocumentFormat format) {
    results.merge(
        RecordText.header(record, Headers.SOURCE),
        new Result(
            List.of(format.result(record)),
            null,
            RecordText.epoch(record),
            RecordText.costUsd(record)),
        ResultsInForce::and);
  }

  private static Result and(Result first, Result next) {
    List<ObjectNode> outputs = new ArrayList<>(first.outputs);
    outputs.addAll(next.outputs);
    return new Result(outputs, null, next.epoch, first.cost + next.cost);
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

package dev.abacus.deploy.replay;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.schemas.kafka.Draw;
import dev.abacus.schemas.kafka.KafkaFutures;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.kafka.TopicRange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the documents that a program has processed. Joins no group and commits nothing.
 *
 * @param application whose committed offsets tell what was processed
 * @param topics its sources
 */
public record ProcessedDocuments(
    KafkaConnection connection, String application, Collection<String> topics) {

  /** Longest time without progress. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String UNREADABLE = "the processed documents cannot be read";

  /** Which documents. */
  public sealed interface Selection {
    /** The latest ones, by the timestamps of their records. */
    record Last(int number) implements Selection {}

    /** Those whose records have this time or a later one. */
    record Since(Instant time) implements Selection {}
  }

  /**
   * A document.
   *
   * @param at where its record is
   * @param key of the record, as text
   * @param draw by which the workers choose the plan of its key, as in {@link Draw#ofKey}
   * @param timestamp of the record, in milliseconds since 1970
   */
  public record Processed(RecordPosition at, String key, double draw, long timestamp) {

    private static Processed of(ConsumerRecord<byte[], byte[]> record) {
      RecordPosition at = RecordPosition.of(record);
      return new Processed(
          at, RecordText.key(record), Draw.ofKey(record.key(), at.toString()), record.timestamp());
    }

    /** As in {@link dev.abacus.schemas.kafka.Headers#SOURCE}. */
    public String position() {
      return at.toString();
    }

    /** Whether the document is in a sample; the same documents each time. */
    public boolean isIn(double share) {
      return Draw.of("replay", position().getBytes(StandardCharsets.UTF_8)) < share;
    }
  }

  /**
   * The documents, the oldest first.
   *
   * @throws OperationFailedException if there is none, or Kafka does not answer
   */
  public List<Processed> find(Selection selection) {
    connection.requireTopics(topics);
    Map<TopicPartition, Long> ends = committed();
    if (ends.isEmpty()) {
      throw new OperationFailedException(
          "no document has been processed yet: group %s has no offsets on %s"
              .formatted(application, String.join(", ", topics)),
          "`abacus status` shows what the workers do.");
    }
    List<Processed> found;
    try (Consumer<byte[], byte[]> consumer = connection.consumer(Map.of())) {
      TopicRange processed = new TopicRange(consumer.beginningOffsets(ends.keySet()), ends);
      found =
          switch (selection) {
            case Selection.Last(int number) -> last(consumer, processed, number);
            case Selection.Since(Instant time) ->
                read(consumer, processed.since(consumer, time.toEpochMilli()));
          };
    } catch (KafkaException e) {
      throw new OperationFailedException(UNREADABLE + ": " + e.getMessage(), remedy(), e);
    }
    found.sort(
        Comparator.comparingLong(Processed::timestamp)
            .thenComparing(document -> document.at().topic())
            .thenComparingInt(document -> document.at().partition())
            .thenComparingLong(document -> document.at().offset()));
    if (found.isEmpty()) {
      throw new OperationFailedException(
          "no processed document %sis on %s"
              .formatted(
                  selection instanceof Selection.Since(Instant time) ? "since " + time + " " : "",
                  String.join(", ", topics)),
          "Retention or compaction may have removed them; give a longer --since, or wait for new ones.");
    }
    return selection instanceof Selection.Last(int number) && found.size() > number
        ? List.copyOf(found.subList(found.size() - number, found.size()))
        : found;
  }

  private Map<TopicPartition, Long> committed() {
    Map<TopicPartition, Long> ends = new HashMap<>();
    connection
        .administer(
            UNREADABLE,
            remedy(),
            admin ->
                KafkaFutures.get(
                    admin.listConsumerGroupOffsets(application).partitionsToOffsetAndMetadata()))
        .forEach((partition, offset) -> {
          if (offset != null && topics.contains(partition.topic())) {
            ends.put(partition, offset.offset());
          }
        });
    return ends;
  }

  private String remedy() {
    return "Check the brokers, and whether this user may read %s and describe the group %s."
        .formatted(String.join(", ", topics), application);
  }

  /** Reads each partition backwards in growing steps: offsets without a document are usual. */
  private static List<Processed> last(
      Consumer<byte[], byte[]> consumer, TopicRange processed, int number) {
    List<Processed> all = new ArrayList<>();
    processed
        .end()
        .forEach((partition, end) -> {
          long begin = processed.from().getOrDefault(partition, 0L);
          long from = end;
          List<Processed> found = List.of();
          for (long step = 2L * number + 100; found.size() < number && from > begin; step *= 4) {
            from = Math.max(begin, end - step);
            found = read(consumer, new TopicRange(Map.of(partition, from), Map.of(partition, end)));
          }
          all.addAll(found);
        });
    return all;
  }

  private static List<Processed> read(Consumer<byte[], byte[]> consumer, TopicRange range) {
    List<Processed> found = new ArrayList<>();
    range.read(
        consumer,
        PATIENCE,
        record -> {
          // A record without a value is a tombstone or a watermark.
          if (record.value() != null) {
            found.add(Processed.of(record));
          }
        });
    return found;
  }
}

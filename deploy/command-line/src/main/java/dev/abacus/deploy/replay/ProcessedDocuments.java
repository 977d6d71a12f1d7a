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
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Finds the documents that a program has processed. Joins no group and commits nothing. */
public final class ProcessedDocuments {

  /** Longest time without progress. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String UNREADABLE = "the processed documents cannot be read";

  private final KafkaConnection connection;
  private final String application;
  private final Collection<String> topics;

  /**
   * Looks at one program.
   *
   * @param application whose committed offsets tell what was processed
   * @param topics its sources
   */
  public ProcessedDocuments(
      KafkaConnection connection, String application, Collection<String> topics) {
    this.connection = connection;
    this.application = application;
    this.topics = List.copyOf(topics);
  }

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
   * @param key of the record, as text
   * @param draw by which the workers choose the plan of its key, as in {@link Draw#ofKey}
   * @param timestamp of the record, in milliseconds since 1970
   */
  public record Processed(
      String topic, int partition, long offset, String key, double draw, long timestamp) {

    private static Processed of(ConsumerRecord<byte[], byte[]> record) {
      return new Processed(
          record.topic(),
          record.partition(),
          record.offset(),
          RecordText.key(record),
          Draw.ofKey(record.key(), RecordPosition.of(record).toString()),
          record.timestamp());
    }

    /** As in {@link dev.abacus.schemas.kafka.Headers#SOURCE}. */
    public String position() {
      return new RecordPosition(topic, partition, offset).toString();
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
    List<Processed> found = new ArrayList<>();
    Map<TopicPartition, Long> ends = committed();
    if (ends.isEmpty()) {
      throw new OperationFailedException(
          "no document has been processed yet: group %s has no offsets on %s"
              .formatted(application, String.join(", ", topics)),
          "`abacus status` shows what the workers do.");
    }
    try (Consumer<byte[], byte[]> consumer = connection.consumer(Map.of())) {
      Map<TopicPartition, Long> begins = consumer.beginningOffsets(ends.keySet());
      ends.forEach((partition, end) -> {
        long begin = begins.getOrDefault(partition, 0L);
        switch (selection) {
          case Selection.Last(int number) ->
              found.addAll(last(consumer, partition, begin, end, number));
          case Selection.Since(Instant time) ->
              found.addAll(read(consumer, partition, from(consumer, partition, time, end), end));
        }
      });
    } catch (KafkaException e) {
      throw new OperationFailedException(UNREADABLE + ": " + e.getMessage(), remedy(), e);
    }
    found.sort(
        Comparator.comparingLong(Processed::timestamp)
            .thenComparing(Processed::topic)
            .thenComparingInt(Processed::partition)
            .thenComparingLong(Processed::offset));
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

  private static long from(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, Instant time, long end) {
    @Nullable OffsetAndTimestamp first =
        consumer.offsetsForTimes(Map.of(partition, time.toEpochMilli())).get(partition);
    return first == null ? end : first.offset();
  }

  /** Reads backwards in growing steps, because offsets without a document are usual. */
  private static List<Processed> last(
      Consumer<byte[], byte[]> consumer,
      TopicPartition partition,
      long begin,
      long end,
      int number) {
    long step = 2L * number + 100;
    while (true) {
      long from = Math.max(begin, end - step);
      List<Processed> found = read(consumer, partition, from, end);
      if (found.size() >= number || from == begin) {
        return found;
      }
      step *= 4;
    }
  }

  private static List<Processed> read(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, long from, long end) {
    List<Processed> found = new ArrayList<>();
    new TopicRange(Map.of(partition, from), Map.of(partition, end))
        .read(
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

package dev.abacus.topology.runtime;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the output records that a broker refused. The transaction of a refused record cannot
 * commit, so its stream thread ends and the documents of the transaction are processed again. What
 * is remembered here makes the second attempt differ from the first:
 *
 * <ul>
 *   <li>After a refused timestamp, the sink of that topic writes records with the current time.
 *   <li>A document whose output was refused for another reason becomes a dead letter.
 *   <li>A refused dead letter is logged and dropped.
 * </ul>
 *
 * <p>A refusal is forgotten when the transaction of the second attempt has committed, or if there
 * is none for some time, because the task has moved. So an equal record is tried again, which a
 * topic with another limit may accept. Another topic or program is not concerned.
 *
 * <p>Thread-safe. Each application has an instance, for all of its clients.
 */
public final class RefusedRecords {

  /** Property of the application that holds its instance, for {@link Handler}. */
  public static final String PROPERTY = "abacus.internal.refused.records";

  /** After a refused batch, the producer aborts the other batches with the error of that batch. */
  private static final String OF_ANOTHER_BATCH = "One or more records have been rejected";

  private static final int REMEMBERED = 10_000;

  /** More than a stream thread needs to start again and to come to the record. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final Set<String> topicsWithLimitedTimestamps = ConcurrentHashMap.newKeySet();
  private final Cache<Content, Refusal> refusals;

  public RefusedRecords() {
    this(Ticker.systemTicker());
  }

  /** With a clock of a test. */
  RefusedRecords(Ticker clock) {
    this.refusals =
        Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(LONGEST)
            .ticker(clock)
            .build();
  }

  /** A refused record. */
  public final class Refusal {
    private final String reason;
    private final Content content;

    private Refusal(String reason, Content content) {
      this.reason = reason;
      this.content = content;
    }

    /** One line for the user. */
    public String reason() {
      return reason;
    }

    /** The second attempt is over. */
    public void forget() {
      refusals.asMap().remove(content, this);
    }
  }

  /** Identifies a record by its topic and hashes of its key and value. */
  private record Content(String topic, int key, int value, int length) {
    static Content of(String topic, byte @Nullable [] key, byte @Nullable [] value) {
      return new Content(
          topic, Arrays.hashCode(key), Arrays.hashCode(value), value == null ? -1 : value.length);
    }
  }

  /** Remembers a record; returns whether the broker refused it, or another one of its batch. */
  private boolean add(ProducerRecord<byte[], byte[]> record, Exception cause) {
    if (String.valueOf(cause.getMessage()).startsWith(OF_ANOTHER_BATCH)) {
      return true;
    }
    if (concernsTimestamp(cause)) {
      topicsWithLimitedTimestamps.add(record.topic());
    } else if (cause instanceof RecordTooLargeException
        || cause instanceof InvalidRecordException) {
      Content content = Content.of(record.topic(), record.key(), record.value());
      String reason =
          "the broker refused a record for topic %s: %s"
              .formatted(record.topic(), cause.getMessage());
      refusals.put(content, new Refusal(reason, content));
    } else {
      // The valid records of a batch with an invalid one get exactly this class.
      return cause.getClass().equals(KafkaException.class);
    }
    return true;
  }

  /** If a batch has several invalid records, only the text states which rule they violate. */
  private static boolean concernsTimestamp(Exception cause) {
    return cause instanceof InvalidTimestampException
        || (cause instanceof InvalidRecordException
            && String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("timestamp"));
  }

  /**
   * The refusal of a record with this key and value that is in its second attempt; null if no
   * broker refused one.
   *
   * @param topic null if it is not known; then there is none
   */
  public @Nullable Refusal find(
      @Nullable String topic, byte @Nullable [] key, byte @Nullable [] value) {
    return topic == null || refusals.asMap().isEmpty()
        ? null
        : refusals.getIfPresent(Content.of(topic, key, value));
  }

  /**
   * The timestamp of an output record. It is never in the future, which brokers limit ({@code
   * message.timestamp.after.max.ms}, one hour by default). The windows of an aggregate may end in
   * the future.
   *
   * @param now current time in milliseconds since 1970
   */
  public long timestamp(String topic, long timestamp, long now) {
    return topicsWithLimitedTimestamps.contains(topic) ? now : Math.min(timestamp, now);
  }

  /**
   * The production exception handler of Kafka Streams. After the response "fail", Kafka Streams
   * reports no further record of the transaction; so the response to a refused record is "resume",
   * and all refused records become known at once. None of them is skipped: the transaction of a
   * refused record cannot commit (KAFKA-15259), which ends the stream thread.
   */
  public static final class Handler implements ProductionExceptionHandler {

    private @Nullable RefusedRecords refused;

    @Override
    public void configure(Map<String, ?> configs) {
      refused = (RefusedRecords) configs.get(PROPERTY);
    }

    @Override
    public Response handleError(
        ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception exception) {
      return refused != null && refused.add(record, exception)
          ? Response.resume()
          : Response.fail();
    }
  }
}

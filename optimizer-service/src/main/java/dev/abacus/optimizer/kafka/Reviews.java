package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Elapsed;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.optimizer.loop.review.ReviewChooser;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.ReviewRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The requests for labels of one program: those on the review topic, and those that were answered.
 * Both stand on topics for good, so a document is asked about once, also after a restart, and the
 * limit per day holds.
 */
final class Reviews {

  /** Header of an example whose label was asked for: the time of the request. */
  static final String HEADER = "abacus-asked";

  /**
   * How long an answer is waited for. A longer wait would keep copies of documents for longer, and
   * the implementations that disagreed may have been replaced.
   */
  static final Duration EXPIRY = Duration.ofDays(7);

  private static final Duration DAY = Duration.ofDays(1);

  /** Between two looks for documents, because a look reads all samples. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  private final String topic;

  /** Requests without an answer, by position of the document. */
  private final Map<String, ReviewRequest> requests = new TreeMap<>();

  /** Times of the requests that were answered, by position. */
  private final Map<String, Instant> answered = new HashMap<>();

  private Instant lookedAt = Instant.EPOCH;

  /**
   * What the status record says of requests for labels.
   *
   * @param perDay most requests per day
   * @param open number of requests without an answer
   * @param answered number of documents whose label was given on request
   * @param expired number of requests that were not answered in time
   */
  record Status(String topic, int perDay, long open, int answered, long expired) {}

  Reviews(String topic) {
    this.topic = topic;
  }

  /** Takes in a record of the topic; null if the request was answered. */
  void take(String position, @Nullable ReviewRequest request) {
    requests.compute(position, (_, _) -> request);
  }

  /** Takes in that an example has a label that was asked for at this time. */
  void isExample(String exampleId, Instant asked) {
    answered.put(ExampleIds.position(exampleId), asked);
  }

  /** The request about an example; null if there is none without an answer. */
  @Nullable ReviewRequest find(String exampleId) {
    return requests.get(ExampleIds.position(exampleId));
  }

  /** When the label of an example was asked for; null if it was not. */
  @Nullable Instant askedAt(String exampleId) {
    ReviewRequest request = find(exampleId);
    return request == null ? answered.get(ExampleIds.position(exampleId)) : request.asked();
  }

  /**
   * Ends requests: a tombstone if the document has a label, a record without its content if the
   * request has expired, or if the program asks for labels no more.
   */
  List<ProducerRecord<byte[], byte[]>> settle(
      int perDay, Predicate<String> isLabelled, Instant now) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (Map.Entry<String, ReviewRequest> entry : List.copyOf(requests.entrySet())) {
      ReviewRequest request = entry.getValue();
      if (isLabelled.test(ExampleIds.COPIED + entry.getKey())) {
        records.add(record(entry.getKey(), null));
      } else if (request.isOpen() && (perDay == 0 || !now.isBefore(request.expires()))) {
        records.add(record(entry.getKey(), request.expired()));
      }
    }
    return records;
  }

  /** Asks for labels, at most so many per day. */
  List<ProducerRecord<byte[], byte[]>> ask(int perDay, ReviewChooser chooser, Instant now) {
    if (perDay == 0 || !Elapsed.isOver(LOOK, lookedAt, now)) {
      return List.of();
    }
    lookedAt = now;
    long lately =
        Stream.concat(
                requests.values().stream().map(ReviewRequest::asked), answered.values().stream())
            .filter(asked -> asked.isAfter(now.minus(DAY)))
            .count();
    int left = (int) Math.max(0, perDay - lately);
    return left == 0
        ? List.of()
        : chooser
            .choose(
                left,
                requests.size() + answered.size(),
                id -> askedAt(id) != null,
                now,
                now.plus(EXPIRY))
            .stream()
            .map(asked -> record(ExampleIds.position(asked.exampleId()), asked.request()))
            .toList();
  }

  /** A record, which counts from now on. */
  private ProducerRecord<byte[], byte[]> record(String position, @Nullable ReviewRequest request) {
    take(position, request);
    byte[] key = position.getBytes(StandardCharsets.UTF_8);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, key, request == null ? null : Json.write(request));
    record.headers().add(Headers.SOURCE, key);
    return record;
  }

  Status status(int perDay) {
    long open = requests.values().stream().filter(ReviewRequest::isOpen).count();
    return new Status(topic, perDay, open, answered.size(), requests.size() - open);
  }
}

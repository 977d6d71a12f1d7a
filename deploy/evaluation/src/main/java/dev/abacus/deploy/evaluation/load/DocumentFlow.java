package dev.abacus.deploy.evaluation.load;

import dev.abacus.deploy.cluster.KafkaConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Sends numbered documents to a program and reads its committed results and dead letters. The
 * number of each document shows lost documents and duplicates. One thread calls all methods and
 * alternates between sending and polling.
 */
public final class DocumentFlow implements AutoCloseable {

  /** Time to poll after the last result, to detect duplicates. */
  private static final Duration FOR_DUPLICATES = Duration.ofSeconds(2);

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration BRIEFLY = Duration.ofMillis(10);
  private static final long QUEUED = 5;

  private final String source;
  private final String deadLetterTopic;
  private final Documents documents;
  private final java.util.function.Consumer<CommittedResult> listener;
  private final Producer<byte[], byte[]> producer;
  private final Consumer<byte[], byte[]> consumer;
  private final Set<Long> arrived = new HashSet<>();
  private ArrivalTimes arrivals = new ArrivalTimes();
  private long sent;
  private long duplicates;
  private long deadLetters;

  /**
   * What the documents are like.
   *
   * @param bytes size of a document, approximately; a short text if 0
   * @param key the key of each document, by its number
   */
  public record Documents(int bytes, LongFunction<String> key) {

    /** Short documents, each with a key of its own. */
    public static final Documents SHORT = new Documents(0, number -> "d-" + number);
  }

  /**
   * Connects to the program's topics, which must exist.
   *
   * @param listener receives the first result of every document, but no dead letters
   */
  public DocumentFlow(
      KafkaConnection connection,
      BenchmarkProgram program,
      Documents documents,
      java.util.function.Consumer<CommittedResult> listener) {
    this.source = program.source();
    this.deadLetterTopic = connection.names().deadLetters(program.program().name());
    this.documents = documents;
    this.listener = listener;
    this.producer = connection.producer(Map.of());
    this.consumer =
        connection.consumerOf(List.of(program.program().results().topic(), deadLetterTopic));
  }

  /** A flow of short documents whose results are only counted. */
  public DocumentFlow(KafkaConnection connection, BenchmarkProgram program) {
    this(connection, program, Documents.SHORT, _ -> {});
  }

  /** Sends {@code many} more documents; none if the number is not above 0. */
  public void send(long many) {
    for (long i = 0; i < many; i++, sent++) {
      byte[] key = documents.key().apply(sent).getBytes(StandardCharsets.UTF_8);
      byte[] value = BenchmarkProgram.document(sent, documents.bytes());
      var _ = producer.send(new ProducerRecord<>(source, key, value));
    }
  }

  /** Sends {@code many} more documents and waits until the broker has them. */
  public void sendNow(long many) {
    send(many);
    producer.flush();
  }

  /**
   * Keeps {@link #QUEUED} times as many documents waiting as all workers can have in flight. They
   * include those that wait for a commit, and keys do not spread them evenly, so with a factor of 2
   * a partition was often empty.
   */
  public void keepWaiting(int inFlight, Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() - end < 0) {
      send(QUEUED * inFlight - waiting());
      look(BRIEFLY);
    }
  }

  /**
   * Polls for results.
   *
   * @param atMost longest wait for the first result
   * @return whether any result arrived
   */
  public boolean look(Duration atMost) {
    boolean any = false;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(atMost)) {
      any = true;
      take(new CommittedResult(System.nanoTime(), record));
    }
    return any;
  }

  private void take(CommittedResult result) {
    if (!arrived.add(result.number())) {
      duplicates++;
      return;
    }
    arrivals.add(result.nanos());
    if (result.record().topic().equals(deadLetterTopic)) {
      deadLetters++;
    } else {
      listener.accept(result);
    }
  }

  /**
   * Waits until {@code wanted} documents have a result or a dead letter.
   *
   * @param progress receives their number so far
   * @throws IllegalStateException if none arrives for {@link BenchmarkCluster#LONGEST_SILENCE}
   */
  public void awaitResults(long wanted, LongConsumer progress) {
    if (!poll(wanted, BenchmarkCluster.LONGEST_SILENCE, progress)) {
      throw new IllegalStateException(
          "no result for %d s after %d of %d"
              .formatted(BenchmarkCluster.LONGEST_SILENCE.toSeconds(), arrived.size(), wanted));
    }
  }

  private boolean poll(long wanted, Duration longestSilence, LongConsumer progress) {
    long quietSince = System.nanoTime();
    while (arrived.size() < wanted && System.nanoTime() - quietSince < longestSilence.toNanos()) {
      if (look(POLL)) {
        quietSince = System.nanoTime();
        progress.accept(arrived.size());
      }
    }
    return arrived.size() >= wanted;
  }

  /**
   * Waits until every document has a result or a dead letter, or until none arrives for {@code
   * longestSilence}. Then polls for duplicates.
   */
  public void drain(Duration longestSilence) {
    var _ = poll(sent, longestSilence, _ -> {});
    pollFor(FOR_DUPLICATES);
  }

  /** Polls for the given time. */
  private void pollFor(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      look(POLL);
    }
  }

  /** Returns the times of the results since the last restart of their record. */
  public ArrivalTimes arrivals() {
    return arrivals;
  }

  /** Begins a new record of arrival times and returns it. */
  public ArrivalTimes restartArrivals() {
    arrivals = new ArrivalTimes();
    return arrivals;
  }

  public long sent() {
    return sent;
  }

  /** Returns the number of documents with a result or a dead letter. */
  public long results() {
    return arrived.size();
  }

  /**
   * Returns the number of documents without a result or dead letter; after {@link #drain}, the
   * number of lost documents.
   */
  public long waiting() {
    return sent - arrived.size();
  }

  /** Returns the number of results and dead letters beyond one per document. */
  public long duplicates() {
    return duplicates;
  }

  public long deadLetters() {
    return deadLetters;
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}

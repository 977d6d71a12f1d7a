package dev.abacus.deploy.evaluation.load;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.local.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
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

  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(100);

  /** A short poll, so that documents are sent on time. */
  private static final Duration BRIEFLY = Duration.ofMillis(5);

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

  /** Sends a document, and waits until a worker that starts has processed all. */
  public void awaitReady(ChildJvm worker) {
    send(1);
    worker.awaitReady(
        () -> {
          look(BRIEFLY);
          return waiting() == 0;
        },
        START);
  }

  /** What is due if documents arrive at a fixed rate from now on, however many have results. */
  public LongSupplier atRate(double perSecond) {
    long start = System.nanoTime();
    long before = sent;
    return () -> Math.round((System.nanoTime() - start) / 1e9 * perSecond) - (sent - before);
  }

  /** What is due if so many documents are to wait at any time. */
  public LongSupplier backlog(long wanted) {
    return () -> wanted - waiting();
  }

  /** Sends the documents that are due, and polls, for the given time. */
  public void during(Duration time, LongSupplier due) {
    during(time, due, () -> {});
  }

  /**
   * Sends the documents that are due, and polls, for the given time.
   *
   * @param each runs before anything is sent
   */
  public void during(Duration time, LongSupplier due, Runnable each) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      each.run();
      send(due.getAsLong());
      look(BRIEFLY);
    }
  }

  /**
   * Sends the documents that are due, and polls, until a condition holds.
   *
   * @param what name of the condition, for the error message
   * @throws IllegalStateException if the condition does not hold in time
   */
  public void until(String what, BooleanSupplier condition, LongSupplier due, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "%s: timeout after %d s; %d of %d documents have a result"
                .formatted(what, patience.toSeconds(), results(), sent));
      }
      send(due.getAsLong());
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
    during(FOR_DUPLICATES, () -> 0);
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

  /** Returns the number of documents without a result or dead letter. */
  public long waiting() {
    return sent - arrived.size();
  }

  /** Returns what went wrong so far; after {@link #drain}, waiting documents are lost. */
  public Losses losses() {
    return new Losses(waiting(), duplicates, deadLetters);
  }

  /**
   * What became of documents other than one result each.
   *
   * @param lost documents without a result or a dead letter
   * @param duplicates results and dead letters beyond one per document
   */
  public record Losses(long lost, long duplicates, long deadLetters) {

    /** Whether every document has exactly one result. */
    public boolean none() {
      return lost == 0 && duplicates == 0 && deadLetters == 0;
    }
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}

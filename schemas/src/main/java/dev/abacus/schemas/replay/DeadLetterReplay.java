package dev.abacus.schemas.replay;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Sends the dead letters of a program that were not replayed before to the topics that they came
 * from. The offsets of a group state how far the letters were replayed.
 */
public final class DeadLetterReplay {

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /**
   * A replay of many letters is one transaction. Settings may lower it, as brokers may allow less.
   */
  public static final int TRANSACTION_MILLIS = 300_000;

  private final KafkaNames names;
  private final Program program;
  private final Clients clients;

  /** Opens Kafka clients. */
  public interface Clients {

    /** A consumer that reads committed records from the beginning and commits no offsets. */
    Consumer<byte[], byte[]> consumer(Map<String, Object> more);

    /** A producer, with {@link #TRANSACTION_MILLIS} if its settings do not say. */
    Producer<byte[], byte[]> producer(Map<String, Object> more);
  }

  /**
   * Numbers of letters.
   *
   * @param replayable whole records of a source or a reference
   * @param left letters that cannot be replayed because they come from several records or were
   *     shortened
   */
  public record Letters(int replayable, int left) {}

  public DeadLetterReplay(KafkaNames names, Program program, Clients clients) {
    this.names = names;
    this.program = program;
    this.clients = clients;
  }

  /**
   * Which letters of a partition were replayed, as the group's offset and its metadata say.
   *
   * @param next all letters before this offset
   * @param single offsets behind it of letters that were replayed alone
   */
  public record Replayed(long next, NavigableSet<Long> single) {

    /** As many fit into the metadata of an offset, 4,096 bytes by default. */
    private static final int MOST = 200;

    private static Replayed of(@Nullable OffsetAndMetadata committed) {
      NavigableSet<Long> single = new TreeSet<>();
      if (committed != null && committed.metadata().matches("\\d{1,18}(,\\d{1,18})*")) {
        Stream.of(committed.metadata().split(",")).map(Long::valueOf).forEach(single::add);
      }
      return new Replayed(committed == null ? 0 : committed.offset(), single);
    }

    /** Whether the letter with this offset was replayed. */
    public boolean has(long offset) {
      return offset < next || single.contains(offset);
    }

    private Replayed through(long offset) {
      return of(offset + 1, single);
    }

    private Replayed and(long offset) {
      NavigableSet<Long> more = new TreeSet<>(single);
      more.add(offset);
      Replayed all = of(next, more);
      if (all.single.size() > MOST) {
        throw new KafkaException(MOST + " letters were replayed alone; replay all");
      }
      return all;
    }

    private static Replayed of(long next, NavigableSet<Long> single) {
      NavigableSet<Long> behind = new TreeSet<>(single.tailSet(next, true));
      long all = next;
      while (behind.remove(all)) {
        all++;
      }
      return new Replayed(all, behind);
    }

    private OffsetAndMetadata committed() {
      return new OffsetAndMetadata(
          next, single.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
  }

  /** The letters that {@link #replay()} would send. */
  public Letters pending() {
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      TopicRange all = all(consumer);
      Map<TopicPartition, Replayed> replayed = replayed(consumer, all);
      Count count = new Count();
      unread(all, replayed)
          .read(
              consumer,
              PATIENCE,
              letter -> {
                if (!of(letter, replayed).has(letter.offset())) {
                  count.add(origin(program, letter) != null);
                }
              });
      return count.letters();
    }
  }

  /** What was replayed, by partition of the topic of dead letters. */
  public Map<Integer, Replayed> replayed() {
    Map<Integer, Replayed> byPartition = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      replayed(consumer, all(consumer))
          .forEach((partition, done) -> byPartition.put(partition.partition(), done));
    }
    return byPartition;
  }

  /**
   * Sends each letter that was not replayed before, with its key, value and headers. Commits the
   * offsets in the same transaction, so no letter is replayed twice, also by two replays at once.
   *
   * @throws KafkaException if nothing was replayed, or whether it was is not known; another replay
   *     finds out
   */
  public Letters replay() {
    return send(
        DeadLetterReplay::unread,
        (letter, done) ->
            done.has(letter.offset())
                ? Optional.empty()
                : Optional.of(done.through(letter.offset())));
  }

  /**
   * Sends these letters, also if they were replayed before, and marks them as replayed in the same
   * transaction.
   *
   * @throws KafkaException if nothing was replayed, or whether it was is not known
   */
  public Letters replay(Predicate<ConsumerRecord<byte[], byte[]>> wanted) {
    return send((all, _) -> all, (letter, done) -> single(letter, done, wanted));
  }

  /** As {@link #replay(Predicate)}, for the letter at a position. */
  public Letters replay(int partition, long offset) {
    TopicPartition of = new TopicPartition(names.deadLetters(program.name()), partition);
    return send(
        (all, _) ->
            new TopicRange(
                Map.of(of, Math.max(offset, all.from().getOrDefault(of, Long.MAX_VALUE))),
                Map.of(of, offset + 1)),
        (letter, done) -> single(letter, done, each -> each.offset() == offset));
  }

  private static Optional<Replayed> single(
      ConsumerRecord<byte[], byte[]> letter,
      Replayed done,
      Predicate<ConsumerRecord<byte[], byte[]>> wanted) {
    return wanted.test(letter) ? Optional.of(done.and(letter.offset())) : Optional.empty();
  }

  /**
   * Sends letters in a transaction.
   *
   * @param part what to read of all letters
   * @param after what is replayed after a letter was sent; empty for one that stays
   */
  private Letters send(
      BiFunction<TopicRange, Map<TopicPartition, Replayed>, TopicRange> part,
      BiFunction<ConsumerRecord<byte[], byte[]>, Replayed, Optional<Replayed>> after) {
    try (Producer<byte[], byte[]> producer =
            clients.producer(
                Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, names.replay(program.name())));
        Consumer<byte[], byte[]> consumer = consumer()) {
      // Ends a replay that still runs, so that the offsets are final.
      producer.initTransactions();
      producer.beginTransaction();
      try {
        Count count = new Count();
        TopicRange all = all(consumer);
        Map<TopicPartition, Replayed> replayed = replayed(consumer, all);
        Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
        part.apply(all, replayed)
            .read(
                consumer,
                PATIENCE,
                letter -> {
                  after
                      .apply(letter, of(letter, replayed))
                      .ifPresent(next -> {
                        String target = origin(program, letter);
                        if (target != null) {
                          // If the broker refuses a record, the commit fails.
                          var _ = producer.send(again(letter, target));
                        }
                        count.add(target != null);
                        replayed.put(partition(letter), next);
                        done.put(partition(letter), next.committed());
                      });
                });
        if (!done.isEmpty()) {
          producer.sendOffsetsToTransaction(done, consumer.groupMetadata());
        }
        commit(producer);
        return count.letters();
      } catch (ProducerFencedException e) {
        throw new KafkaException("another replay has started", e);
      } catch (RuntimeException e) {
        abort(producer, e);
        throw e;
      }
    }
  }

  /** A quota may let Kafka take longer than one call waits. A commit without an answer may hold. */
  private static void commit(Producer<?, ?> producer) {
    long deadline = System.nanoTime() + Duration.ofMillis(TRANSACTION_MILLIS).toNanos();
    while (true) {
      try {
        producer.commitTransaction();
        return;
      } catch (TimeoutException e) {
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
      }
    }
  }

  private static void abort(Producer<?, ?> producer, RuntimeException cause) {
    try {
      producer.abortTransaction();
    } catch (KafkaException | IllegalStateException e) { // The end of a commit is open.
      cause.addSuppressed(e);
    }
  }

  private Consumer<byte[], byte[]> consumer() {
    return clients.consumer(Map.of(ConsumerConfig.GROUP_ID_CONFIG, names.replay(program.name())));
  }

  private TopicRange all(Consumer<byte[], byte[]> consumer) {
    return TopicRange.all(consumer, names.deadLetters(program.name()));
  }

  private static Map<TopicPartition, Replayed> replayed(
      Consumer<byte[], byte[]> consumer, TopicRange all) {
    Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(all.end().keySet());
    Map<TopicPartition, Replayed> replayed = new HashMap<>();
    all.end()
        .keySet()
        .forEach(partition -> replayed.put(partition, Replayed.of(committed.get(partition))));
    return replayed;
  }

  private static Replayed of(ConsumerRecord<?, ?> letter, Map<TopicPartition, Replayed> replayed) {
    return Objects.requireNonNull(replayed.get(partition(letter)));
  }

  /** From the committed offsets to the present ends. */
  private static TopicRange unread(TopicRange all, Map<TopicPartition, Replayed> replayed) {
    Map<TopicPartition, Long> next = new HashMap<>();
    replayed.forEach((partition, done) -> next.put(partition, done.next()));
    return all.startingAt(next);
  }

  /**
   * The topic that a letter came from, if the program reads it; null if the letter comes from
   * several records or was shortened. A letter of another producer may not name its topic; then it
   * is the program's source if there is only one.
   */
  public static @Nullable String origin(Program program, ConsumerRecord<byte[], byte[]> letter) {
    if (letter.headers().lastHeader(Headers.ORIGINAL_SIZE) != null) {
      return null;
    }
    List<String> sources = program.sources().stream().map(Source::topic).toList();
    Header header = letter.headers().lastHeader(Headers.EXCEPTION_TOPIC);
    if (header == null) {
      return sources.size() == 1 ? sources.getFirst() : null;
    }
    String named = header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    boolean read =
        sources.contains(named)
            || program.references().stream().anyMatch(each -> each.topic().equals(named));
    return read ? named : null;
  }

  /** The record that replays a letter. Headers that the product added are not part of it. */
  private static ProducerRecord<byte[], byte[]> again(
      ConsumerRecord<byte[], byte[]> letter, String topic) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, letter.key(), letter.value());
    for (Header header : letter.headers()) {
      if (!header.key().startsWith("abacus-") && !header.key().startsWith("__streams.errors.")) {
        record.headers().add(header);
      }
    }
    return record;
  }

  private static TopicPartition partition(ConsumerRecord<?, ?> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  /** Counts letters. */
  private static final class Count {
    private int replayable;
    private int left;

    void add(boolean isReplayable) {
      if (isReplayable) {
        replayable++;
      } else {
        left++;
      }
    }

    Letters letters() {
      return new Letters(replayable, left);
    }
  }
}
